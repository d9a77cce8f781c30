/** Arrow keys walk from piece to piece and from cell to cell, wherever those lie. */

import type { Attachment } from 'svelte/attachments';

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function centre(node: Element): [number, number] {
  const box = node.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/** The element that lies nearest in a direction; being aside counts double. */
export function nearest(from: [number, number], way: [number, number], spots: [number, number][]): number {
  let best = -1;
  let least = Infinity;
  spots.forEach(([x, y], i) => {
    const along = (x - from[0]) * way[0] + (y - from[1]) * way[1];
    const aside = Math.abs((x - from[0]) * way[1]) + Math.abs((y - from[1]) * way[0]);
    if (along < 4) return;
    const far = along + 2 * aside;
    if (far < least) [best, least] = [i, far];
  });
  return best;
}

export const arrows: Attachment<HTMLElement> = (board) => {
  function walk(event: KeyboardEvent): void {
    const way = WAYS[event.key];
    const here = document.activeElement;
    if ((event.target as Element).closest('[data-own-keys]')) return; // it walks by itself
    if (!way || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (here instanceof HTMLInputElement || here instanceof HTMLSelectElement || here instanceof HTMLTextAreaElement)
      return;
    const all = [...board.querySelectorAll<HTMLElement>('button:not(:disabled), [tabindex="0"]')].filter(
      (node) => node !== here && node.getClientRects().length > 0,
    );
    const from = here && board.contains(here) ? centre(here) : centre(board);
    const found = all[nearest(from, way, all.map(centre))];
    if (!found) return;
    found.focus();
    event.preventDefault();
  }
  board.addEventListener('keydown', walk);
  return () => board.removeEventListener('keydown', walk);
};
