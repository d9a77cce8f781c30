/** How threads are drawn: stitches between the cards that lie side by side. */

import type { Group, Lying } from '../../generated/ariadne';
import type { Turn } from '../../lib/recent';

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

/** The cards that were laid or moved in these turns and still lie there, with who did it, the newest last. */
export function laidSince(turns: Turn[], lying: Lying[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { seat, told } of turns) {
    for (const { data } of told) {
      const there = lying.find(({ card, x, y }) => card === data?.card && x === data.cell?.[0] && y === data.cell?.[1]);
      if (!there || seat === null) continue;
      found.delete(there.card);
      found.set(there.card, seat);
    }
  }
  return found;
}
