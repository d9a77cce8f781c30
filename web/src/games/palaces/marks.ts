/** What the others did last, place by place: it stays marked until this chair moves. */

import type { Turn } from '../../lib/recent';

/** By place, who changed it: `pawn:K1` a pawn, `pile:K1` the cards of a seat on a path, `discard` the discards. */
export function marksOf(moves: Turn[], seat: number | null): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { seat: by, told } of moves) {
    if (by === null || by === seat) continue;
    for (const { kind, data } of told) {
      const path = data?.palace as string;
      if (kind === 'start' || kind === 'advance') {
        marks.set(`pawn:${path}${by}`, by);
        marks.set(`pile:${path}${by}`, by);
      } else if (kind === 'attack' || kind === 'parry') {
        marks.set(`pawn:${path}${1 - by}`, by);
        marks.set('discard', by);
      } else if (kind === 'discard') marks.set('discard', by);
    }
  }
  return marks;
}
