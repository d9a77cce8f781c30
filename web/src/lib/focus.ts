/** Focus stays on the board when what had it goes away, as a cell does that was just played on. */

import type { Attachment } from 'svelte/attachments';

export const keepFocus: Attachment<HTMLElement> = (board) => {
  let inside = false;
  const enter = () => (inside = true);
  const leave = (event: FocusEvent) => {
    if (event.relatedTarget) inside = board.contains(event.relatedTarget as Node);
  };
  const point = (event: PointerEvent) => {
    if (!board.contains(event.target as Node)) inside = false;
  };
  function restore(): void {
    const here = document.activeElement;
    const lost = !here || here === document.body || (board.contains(here) && here.matches(':disabled'));
    if (inside && lost) board.focus({ preventScroll: true });
  }
  board.tabIndex = -1;
  // A browser takes the focus from what is disabled or gone only when it draws the next time.
  const watch = new MutationObserver(() => inside && requestAnimationFrame(restore));
  watch.observe(board, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  board.addEventListener('focusin', enter);
  board.addEventListener('focusout', leave);
  document.addEventListener('pointerdown', point);
  return () => {
    watch.disconnect();
    board.removeEventListener('focusin', enter);
    board.removeEventListener('focusout', leave);
    document.removeEventListener('pointerdown', point);
  };
};
