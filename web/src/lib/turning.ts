/** The moves after which the chances were others. */

import type { Standing } from './api';

export interface TurningPoint {
  number: number;
  from: number;
  to: number;
}

const LEAST = 0.1; // of a change that is worth a word
const SURE = 3; // standard errors that it must have
const MOST = 5;

const variance = (chance: number, worlds: number) => (worlds ? (chance * (1 - chance)) / worlds : 0);

/** The largest changes of a seat's chance from one move to the next, in the order of the game. */
export function turningPoints(standings: Standing[], seat: number): TurningPoint[] {
  return standings
    .flatMap((now, i) => {
      const before = standings[i - 1];
      if (!before || before.number !== now.number - 1) return [];
      const [from, to] = [before.chances[seat], now.chances[seat]];
      const doubt = SURE * Math.sqrt(variance(from, before.worlds) + variance(to, now.worlds));
      return Math.abs(to - from) >= Math.max(LEAST, doubt) ? [{ number: now.number, from, to }] : [];
    })
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from))
    .slice(0, MOST)
    .sort((a, b) => a.number - b.number);
}
