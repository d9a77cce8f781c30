/** How threads are drawn: stitches between the cards that lie side by side. */

import type { Group } from '../../generated/ariadne';

export interface Stitch {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export function stitches(group: Group): Stitch[] {
  const there = new Set(group.cells.map(([x, y]) => `${x},${y}`));
  const found: Stitch[] = [];
  for (const [x, y] of group.cells) {
    if (there.has(`${x + 1},${y}`)) found.push({ x1: x, y1: y, x2: x + 1, y2: y });
    if (there.has(`${x},${y + 1}`)) found.push({ x1: x, y1: y, x2: x, y2: y + 1 });
  }
  return found;
}
