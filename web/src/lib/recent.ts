/** The moves that a chair should still see: those since it moved last, however fast the others answered. */

import type { Told } from './board';

/** A move with what it told this chair. */
export interface Turn {
  number: number;
  seat: number | null;
  told: Told[];
}

type Entry = { number: number; kind?: string; seat?: number | null; told?: Told[]; taken_back?: boolean };

/** From a chair's own last move on, that one included; for who watches, as many moves as there are players. */
export function recent(log: Entry[], seat: number | null, players: number): Turn[] {
  const moves = log.filter(({ kind, seat: by, taken_back }) => (kind ?? 'move') === 'move' && by != null && !taken_back);
  const from = seat === null ? Math.max(0, moves.length - players) : Math.max(0, moves.findLastIndex((one) => one.seat === seat));
  return moves.slice(from).map(({ number, seat: by, told }) => ({ number, seat: by ?? null, told: told ?? [] }));
}
