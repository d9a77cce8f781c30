// Made from clew.games.palaces.shapes by web/scripts/make_types.py; `make types` makes it anew.

/** A dig site; nothing is known of a closed one. */
export interface Site {
  step: number;
  find: 'rare' | 'statue' | 'fresco15' | 'fresco20' | null;
}

/** A seat's pawn on a path, and the cards that brought it there. */
export interface Walker {
  pawn: 'archaeologist' | 'theseus' | null;
  step: number;
  last: number | null;
  cards: string[];
}

/** The path to a palace. */
export interface Path {
  palace: string;
  letter: string;
  rare_points: number;
  sites: Site[];
  pawns: Walker[];
}

/** Where a score comes from. */
export interface Points {
  steps: number;
  statues: number;
  treasures: number;
  frescoes: number;
}

/** What lies open before a player. */
export interface Seat {
  name: string;
  archaeologists: number;
  theseus: number;
  cards: number;
  statues: number;
  rares: string[];
  frescoes: number[];
  points: Points;
  score: number;
}

/** What a chair sees; `goals` are where numbers and where Ariadne take a pawn, from step 0 on. */
export interface PalacesTable {
  turns: number;
  pile: number;
  hand: string[];
  discards: string[];
  step_points: number[];
  statue_points: number[];
  goals: number[][];
  paths: Path[];
  seats: Seat[];
}
