// Made from clew.server.responses by web/scripts/make_types.py; `make types` makes it anew.
import type { Told } from './messages';


/** An option of a game, and what it does. */
export interface OptionInfo {
  name: string;
  help: string;
  default: number | string;
  values?: string[] | null;
  low?: number | null;
  high?: number | null;
}

/** A game, for the lobby. */
export interface GameInfo {
  name: string;
  title: string;
  blurb: string;
  rules: number;
  players: number[];
  recommended: number | null;
  author: string;
  age: number | null;
  minutes: number | null;
  options: OptionInfo[];
  all_moves: boolean;
  drafts: boolean;
  learnt: boolean;
}

/** A level of bots. */
export interface LevelInfo {
  level: number;
  name: string;
}

/** All games. */
export interface Games {
  protocol: number;
  version: string;
  colours: string[];
  levels: LevelInfo[];
  games: GameInfo[];
}

/** Whether the lab may be used here. */
export interface LabInfo {
  on: boolean;
}

/** The rules of a game, in Markdown. */
export interface RuleBook {
  game: string;
  title: string;
  rules: number;
  text: string;
}

/** Who is asking. */
export interface Me {
  name: string;
}

/** What is wrong, in one sentence; `rule` where a rule says so. */
export interface Fault {
  code: string;
  text: string;
  rule?: string;
}

/** The body of every error. */
export interface Faulty {
  error: Fault;
}

/** The opening (number 0), or a move, and how things stood after it. */
export interface Step {
  number: number;
  told: Told[];
  seat?: number | null;
  move?: string | null;
  view?: Record<string, unknown> | null;
  views?: Record<string, unknown>[] | null;
}

/** The promise by which the game was dealt, and whether it was kept. */
export interface Committed {
  hash: string;
  kept: boolean;
  text: string;
}

/** The end of a game that was not played to its end, as its record notes it. */
export interface GivenUp {
  places: number[];
  ended: string;
}

/** A whole game. */
export interface Replay {
  game: string;
  title: string;
  rules: number;
  options: Record<string, number | string>;
  players: number;
  names: string[];
  chair: number | string | null;
  moves_total: number;
  outcome: Record<string, unknown> | null;
  given_up: GivenUp | null;
  commitment: Committed | null;
  continued: number | null;
  moves: string[];
  deal: Record<string, string> | null;
  steps: Step[];
  seat_fields?: Record<string, number>;
}
