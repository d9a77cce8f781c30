/** What a board is given, and what it gives back. A board shows; what is legal it is told. */

import type { View } from '../generated/core';

/** A view whose table is that of one game. */
export type ViewOf<T> = Omit<View, 'table' | 'known'> & { table: T };

/** One thing that happened, as this chair saw it. */
export interface Told {
  kind: string;
  text: string;
  rule?: string;
  seat?: number | null;
  data?: Record<string, any>;
}

/** What a draft comes to. */
export interface Verdict<D = any> {
  playable: boolean;
  move?: string;
  reason?: string;
  rule?: string;
  faults?: { rule: string; text: string; cells?: number[][] }[];
  draft?: D | null;
}

export interface BoardProps<T> {
  view: ViewOf<T>;
  /** The chair that looks; null for a spectator. */
  seat: number | null;
  /** The legal moves of this chair, written; empty when it owes none. */
  legal: string[];
  /** Who sits where. */
  names: string[];
  /** What the last moves told, the newest last: for motion. */
  told?: Told[];
  /** A move that a hint shows. */
  hint?: string | null;
  /** Make a move. One that is not legal is refused with its reason, and nothing changes. */
  play: (move: string) => void;
  /** What would be wrong with a play in the making? Null where nobody can be asked, as in a replay. */
  judge?: ((parts: string[]) => Promise<Verdict>) | null;
}

/** The seat from which the board is shown: a spectator sits with the first. */
export function nearSeat(seat: number | null): number {
  return seat ?? 0;
}
