/** Where the others put their cards last: it stays marked until this chair moves. */

import type { Turn } from '../../lib/recent';

/** By place, who changed it: `slot:2.1.3` track 2, lane of seat 1, step 3; `centre:2` a track that was won. */
export function marksOf(moves: Turn[], seat: number | null): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { seat: by, told } of moves) {
    if (by === null || by === seat) continue;
    for (const { kind, data } of told) {
      if (kind === 'step' || kind === 'cover') marks.set(`slot:${data!.track}.${by}.${data!.step}`, by);
      else if (kind === 'won') marks.set(`centre:${data!.track}`, by);
    }
  }
  return marks;
}
