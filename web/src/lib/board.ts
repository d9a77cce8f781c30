/** What a board is given, and what it gives back. A board shows; what is legal it is told. */

import type { View } from '../generated/core';
import type { MoveWords } from '../generated/messages';
import type { Turn } from './recent';

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
  /** The same moves in words, each with the pieces in it, where the server says them. */
  said?: MoveWords[];
  /** Who sits where. */
  names: string[];
  /** The fields of the table that are numbers of seats, each with the number of the first seat, where the server says them. */
  seatFields?: Record<string, number>;
  /** What the last moves told, the newest last: for motion. */
  told?: Told[];
  /** The moves since this chair's own last one, that one included: for what stays on the table until it moves again. */
  recent?: Turn[];
  /** The name under which a play in the making outlives a reload of the page; none where nothing is kept. */
  keepAs?: string;
  /** A move that a hint shows. */
  hint?: string | null;
  /** Make a move. One that is not legal is refused with its reason, and nothing changes. */
  play: (move: string) => void;
  /** Have it said why a move is not legal, without playing it. Null where nobody can be asked. */
  why?: ((move: string) => void) | null;
  /** Say at the place why something cannot be done that no move is written for; with the rule that says so. */
  refuse?: (reason: string, rule: string) => void;
  /** What would be wrong with a play in the making? Null where nobody can be asked, as in a replay. */
  judge?: ((parts: string[]) => Promise<Verdict>) | null;
}

/** Pieces that somebody, or nobody, could see: for replays in which everything is open. */
export interface Pile {
  label: string;
  /** Whose it is; null for what belongs to the table. */
  seat: number | null;
  pieces: { name: string; caption?: string }[];
}

/** What the part of a replay is given that shows what was hidden. */
export interface OpenProps<T> {
  /** What every seat knew at this step. */
  views: ViewOf<T>[];
  /** The same at every step of the game. */
  all: ViewOf<T>[][];
  /** All that was dealt, as a record writes it. */
  deal: Record<string, string>;
  /** The seat whose view the board shows: its hand is there. */
  shown: number;
  names: string[];
  /** As a board is given them. */
  seatFields?: Record<string, number>;
}

/** The words of a line of the deal. */
export const dealt = (deal: Record<string, string>, line: string) => (deal[line] ?? '').split(/\s+/).filter(Boolean);

/** What is still there of a pile that was dealt in this order, the next one first. */
export function rest(deal: Record<string, string>, line: string, left: number): Pile['pieces'] {
  return left > 0 ? dealt(deal, line).slice(-left).map((name) => ({ name })) : [];
}

/** The seat from which the board is shown: a spectator sits with the first. */
export function nearSeat(seat: number | null): number {
  return seat ?? 0;
}
