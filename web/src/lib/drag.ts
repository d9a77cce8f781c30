/** Dragging by mouse, pen and finger; tapping and keys go on working, because a piece stays a button. */

import type { Attachment } from 'svelte/attachments';

export interface Dragging {
  enabled?: boolean;
  /** The piece leaves its place. */
  lift?: () => void;
  /** It is let go over the element whose `data-drop` this is; null elsewhere. Not called when the drag is called off. */
  drop: (target: string | null, x: number, y: number) => void;
  /** It moves; for boards that follow. */
  over?: (x: number, y: number) => void;
}

const FAR = 6; // pixels that make a drag out of a tap

export function draggable(options: Dragging): Attachment<HTMLElement | SVGElement> {
  return (node) => {
    if (options.enabled === false) return;
    let start: PointerEvent | null = null;
    let ghost: HTMLElement | null = null;
    let lit: Element | null = null;
    let box: DOMRect;

    function target(event: PointerEvent): HTMLElement | null {
      return (document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-drop]') as HTMLElement) ?? null;
    }
    function light(next: Element | null): void {
      if (next === lit) return;
      lit?.removeAttribute('data-over');
      next?.setAttribute('data-over', '');
      lit = next;
    }
    function begin(): void {
      box = node.getBoundingClientRect();
      const svg = node instanceof SVGElement && !(node instanceof SVGSVGElement);
      if (!svg) {
        ghost = node.cloneNode(true) as HTMLElement;
        ghost.removeAttribute('id');
        ghost.setAttribute('aria-hidden', 'true');
        ghost.tabIndex = -1;
        Object.assign(ghost.style, {
          position: 'fixed',
          left: `${box.left}px`,
          top: `${box.top}px`,
          width: `${box.width}px`,
          height: `${box.height}px`,
          margin: '0',
          pointerEvents: 'none',
          zIndex: '1000',
          transition: 'none',
        });
        // Inside the board, so that the board's own styles and sizes hold for it.
        (node.closest('[data-board]') ?? document.body).append(ghost);
        node.setAttribute('data-lifted', '');
      }
      options.lift?.();
    }
    function move(event: PointerEvent): void {
      if (!start || event.pointerId !== start.pointerId) return;
      const dx = event.clientX - start.clientX;
      const dy = event.clientY - start.clientY;
      if (!ghost && Math.hypot(dx, dy) < FAR) return;
      if (!ghost) {
        begin();
        node.setPointerCapture(event.pointerId);
      }
      if (ghost) ghost.style.transform = `translate(${dx}px, ${dy}px)`;
      options.over?.(event.clientX, event.clientY);
      light(target(event));
      event.preventDefault();
    }
    function end(event: PointerEvent): void {
      if (!start || event.pointerId !== start.pointerId) return;
      if (event.type === 'pointercancel') return callOff();
      const dragged = ghost;
      const found = dragged ? target(event) : null;
      light(null);
      start = ghost = null;
      node.removeAttribute('data-lifted');
      stop();
      if (!dragged) return;
      // The tap that a browser makes of this is none.
      const swallow = (click: Event) => {
        click.stopPropagation();
        click.preventDefault();
      };
      window.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
      options.drop(found?.dataset.drop ?? null, event.clientX, event.clientY);
      dragged.remove();
    }
    /** The piece stays where it was. */
    function callOff(): void {
      light(null);
      ghost?.remove();
      start = ghost = null;
      node.removeAttribute('data-lifted');
      stop();
    }
    /** A second finger means something else, such as a zoom. */
    function second(event: PointerEvent): void {
      if (event.pointerId !== start?.pointerId) callOff();
    }
    function down(event: Event): void {
      const pointer = event as PointerEvent;
      if (pointer.button !== 0 || !pointer.isPrimary || start) return;
      start = pointer;
      window.addEventListener('pointermove', move, { passive: false });
      window.addEventListener('pointerup', end);
      window.addEventListener('pointercancel', end);
      window.addEventListener('pointerdown', second, { capture: true });
    }
    function stop(): void {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('pointerdown', second, { capture: true });
    }
    node.style.touchAction = 'none';
    node.addEventListener('pointerdown', down);
    return () => {
      node.removeEventListener('pointerdown', down);
      // While a drag is under way the board may be drawn anew: the ghost goes with the finger, not with the piece.
      if (!ghost) stop();
    };
  };
}
