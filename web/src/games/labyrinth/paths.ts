/** How a path runs, to draw it: what is connected with what is told by the server. */

import type { Placed } from '../../generated/labyrinth';

const WAYS: Record<string, [number, number, string]> = { N: [0, -1, 'S'], E: [1, 0, 'W'], S: [0, 1, 'N'], W: [-1, 0, 'E'] };

export const cellOf = (x: number, y: number) => `${x},${y}`;

/** By cells, the sides that the shortest ways from one cell to others run through. */
export function run(cards: Placed[], from: string, goals: string[]): Map<string, string> {
  const open = new Map(cards.map((card) => [cellOf(card.x, card.y), card.open[card.rotation]]));
  const before = new Map<string, [cell: string, side: string]>();
  const walk = [from];
  for (const here of walk) {
    const [x, y] = here.split(',').map(Number);
    for (const side of open.get(here) ?? '') {
      const [dx, dy, back] = WAYS[side];
      const next = cellOf(x + dx, y + dy);
      if (next === from || before.has(next) || !open.get(next)?.includes(back)) continue;
      before.set(next, [here, side]);
      walk.push(next);
    }
  }
  const sides = new Map<string, Set<string>>();
  const mark = (cell: string, side: string) => sides.set(cell, (sides.get(cell) ?? new Set()).add(side));
  for (const goal of goals) {
    for (let here = goal; before.has(here); ) {
      const [last, side] = before.get(here)!;
      mark(last, side);
      mark(here, WAYS[side][2]);
      here = last;
    }
  }
  return new Map([...sides].map(([cell, through]) => [cell, [...through].join('')]));
}
