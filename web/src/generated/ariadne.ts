// Made from clew.games.ariadne.shapes by web/scripts/make_types.py; `make types` makes it anew.

/** A card on the tableau. */
export interface Lying {
  x: number;
  y: number;
  card: string;
  seat: number | null;
  face: 'up' | 'down';
  group: number | null;
  last: boolean;
}

/** The outermost cells of a part of the tableau. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where the Joker lies, and as whom. */
export interface Joker {
  x: number;
  y: number;
  face: 'up' | 'down';
  name: string;
}

/** Side-connected cards of one colour: a thread, or what could become one. */
export interface Group {
  group: number;
  seat: number;
  cells: number[][];
  cards: string[];
  points: number;
  thread: boolean;
  joker: boolean;
}

/** The cards of a round as they lie. */
export interface Tableau {
  cells: Lying[];
  box: Box;
  joker: Joker;
  groups: Group[];
}

/** The tableau at the end of the round before. */
export interface Previous {
  cells: Lying[];
  box: Box;
  joker: Joker;
  groups: Group[];
  round: number;
}

/** A player's points of a round. */
export interface Score {
  threads: number;
  joker: number;
  score: number;
}

/** What is known of a player's cards and points. */
export interface Seat {
  name: string;
  colour: 'black' | 'red';
  cards: number;
  deck: number;
  unseen: string[];
  rounds: Score[];
  now: Score;
  score: number;
}

/** What a chair sees. */
export interface AriadneTable {
  phase: 'play' | 'over';
  round: number;
  rounds: number;
  max_rounds: number;
  extra: boolean;
  first: number;
  turns: number;
  turns_left: number;
  thread_min: number;
  hand: string[];
  last: Lying | null;
  window: Box;
  free: number[][];
  tableau: Tableau;
  previous: Previous | null;
  seats: Seat[];
}
