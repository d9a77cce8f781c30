/** What was dug up or photographed in the last moves, as the server told it. */

import type { Turn } from '../../lib/recent';

export interface Dug {
  /** The number of the move. */
  number: number;
  seat: number;
  letter: string;
  /** Each find with the step of its site; so many of them count so many points. */
  finds: { find: string; step: number; count: number; points: number }[];
}

export function dugUp(moves: Turn[]): Dug[] {
  return moves.flatMap(({ number, seat, told }) =>
    told.flatMap(({ data }) => (data?.finds?.length ? [{ number, seat: seat ?? 0, letter: data.palace, finds: data.finds }] : [])),
  );
}
