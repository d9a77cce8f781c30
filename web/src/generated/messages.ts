// Made from clew.server.messages by web/scripts/make_types.py; `make types` makes it anew.

/** The first message, and later ones to change chairs: who sits here, and what was seen already. */
export interface Hello {
  type: 'hello';
  version: number;
  chair?: number | null;
  last?: number;
  invite?: string;
  known?: boolean;
  changes?: boolean;
}

/** Make a move, in its written form. */
export interface Move {
  type: 'move';
  id: string;
  move: string;
}

/** What would be wrong with a move? Nothing is played, nobody hears of it. */
export interface Judge {
  type: 'judge';
  id: string;
  parts: string[];
}

/** What would a good player do here, knowing what this chair knows? */
export interface Hint {
  type: 'hint';
  id: string;
  level?: number;
}

/** Say something to the table. */
export interface Chat {
  type: 'chat';
  id: string;
  text: string;
}

/** Give the game up: between two it ends, at a larger table a bot plays on in this chair. */
export interface Resign {
  type: 'resign';
  id: string;
}

/** Get up: before the game the seat is open again, during it this is to resign, after it nothing but goodbye. */
export interface Leave {
  type: 'leave';
  id: string;
}

/** Ask the others to take back one's own last move. */
export interface Undo {
  type: 'undo';
  id: string;
}

/** Ask the others to let a bot play for somebody who is absent. */
export interface Takeover {
  type: 'takeover';
  id: string;
  seat: number;
  level?: number;
}

/** Take one's own chair back from the bot that plays in it. */
export interface Return {
  type: 'return';
  id: string;
}

/** Ask the others for another game, with the seats turned by one. */
export interface Rematch {
  type: 'rematch';
  id: string;
}

/** Say yes or no to what somebody asked. */
export interface Answer {
  type: 'answer';
  id: string;
  ask: number;
  yes: boolean;
}

/** Is anybody there? For clients that cannot send the WebSocket's own. */
export interface Ping {
  type: 'ping';
  id: string;
}

/** One thing that happened, as this chair saw it: `text` for people, `kind` and `data` for programs. */
export interface Told {
  kind: string;
  text: string;
  rule?: string;
  seat?: number | null;
  data?: Record<string, unknown>;
}

/** One entry of the numbered log as a chair reads it. Numbers begin with 1 and leave no gap. */
export interface Entry {
  number: number;
  at: number;
  kind: string;
  seat?: number | null;
  told?: Told[];
  text?: string;
  id?: string | null;
  move?: string | null;
  taken_back?: boolean;
}

/** Who sits where. */
export interface Seat {
  colour: string;
  kind: string;
  name?: string;
  level?: number | null;
  yours?: boolean;
  here?: boolean;
}

/** Something that waits for the others to agree. */
export interface Ask {
  number: number;
  what: string;
  by: number;
  waiting: number[];
  seat?: number | null;
  level?: number | null;
}

/** How time is kept, in seconds: so much for each move, or a total with something added for each move. */
export interface ClockRule {
  move?: number | null;
  total?: number | null;
  increment?: number;
  then?: string;
}

/** The time left, in milliseconds by seat, at the moment `at` of the server's clock; `running` goes down. */
export interface Clocks {
  left: number[];
  running: number[];
  at: number;
}

/** How it ended. Scores are missing when it was given up. */
export interface Result {
  places: number[];
  ended: string;
  scores?: number[] | null;
}

/** The deal's secret, shown when the game is over: sha256 of "clew commitment 1 <seed> <salt>" is the commitment. */
export interface Opened {
  seed: string;
  salt: string;
}

/** What everybody at a table knows about it; `yours` and `invite` differ. */
export interface Table {
  id: string;
  game: string;
  title: string;
  rules: number;
  options: Record<string, number | string>;
  players: number;
  state: string;
  seats: Seat[];
  commitment: string;
  created: number;
  private?: boolean;
  one_device?: boolean;
  turn?: number[];
  since?: number;
  learnt?: boolean;
  continued?: number | null;
  clock?: ClockRule | null;
  hints?: boolean;
  stand_in?: number | null;
  invite?: string;
  ask?: Ask | null;
  result?: Result | null;
  opened?: Opened | null;
  rematch?: string | null;
}

/** A list of tables. */
export interface Tables {
  tables: Table[];
  more?: boolean;
}

/** A legal move for a table that knows nothing of the game. */
export interface MoveWords {
  text: string;
  pieces?: string[];
}

/** How things stand for this chair now. */
export interface Position {
  view?: Record<string, unknown> | null;
  changes?: Record<string, unknown> | null;
  moves?: string[];
  words?: MoveWords[];
  seat_fields?: Record<string, number>;
  all_moves?: boolean;
  clocks?: Clocks | null;
  can_undo?: boolean;
}

/** The answer to a hello: everything, as far as the chair has not seen it. */
export interface Welcome {
  type: 'welcome';
  version: number;
  number: number;
  since: number;
  chair: number | null;
  table: Table;
  now: Position;
  log: Entry[];
  here: number;
}

/** A new entry, with what it changed. */
export interface Event {
  type: 'event';
  entry: Entry;
  now?: Position | null;
  table?: Table | null;
}

/** It is on disk, in the entry of that number, now or since before; 0 for something that left no entry. */
export interface Ack {
  type: 'ack';
  id: string;
  number: number;
}

/** What was asked may not be done; nothing has changed. */
export interface Refused {
  type: 'refused';
  id: string;
  reason: string;
  rule?: string;
  faults?: Record<string, unknown>[];
}

/** What a draft comes to. */
export interface Judged {
  type: 'judged';
  id: string;
  playable: boolean;
  move?: string;
  reason?: string;
  rule?: string;
  faults?: Record<string, unknown>[];
  draft?: Record<string, unknown> | null;
}

/** A move with the chance to win by it, the place to expect, how sure that is, and how often it was tried. */
export interface Weighed {
  move: string;
  said: string;
  told: string;
  win: number | null;
  place: number | null;
  error: number | null;
  tries: number;
}

/** What a bot would do in this chair, the best chance first; moves that it hardly looked at are left out. */
export interface Hinted {
  type: 'hinted';
  id: string;
  worlds: number;
  moves: Weighed[];
}

/** Who is connected; not part of the log. */
export interface Presence {
  type: 'presence';
  seats: number[];
  watching: number;
}

/** How much of the game is compiled; until all is, its bots think slowly. Not part of the log. */
export interface Preparing {
  type: 'preparing';
  done: number;
  total: number;
}

/** Somebody is there. */
export interface Pong {
  type: 'pong';
  id: string;
  at: number;
}

/** A message that cannot be read or does not fit; the connection may go on. */
export interface Error {
  type: 'error';
  code: string;
  text: string;
  id?: string | null;
}

/** The server stops in good order; come back after about so many milliseconds. */
export interface Bye {
  type: 'bye';
  text: string;
  back: number;
}

export type FromClient = Hello | Move | Judge | Hint | Chat | Resign | Leave | Undo | Takeover | Return | Rematch | Answer | Ping;

export type ToClient = Welcome | Event | Ack | Refused | Judged | Hinted | Presence | Preparing | Pong | Error | Bye;

export const PROTOCOL = 1;
