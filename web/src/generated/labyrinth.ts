// Made from clew.games.labyrinth.shapes by web/scripts/make_types.py; `make types` makes it anew.

/** What is printed on a card, and its open sides in each of its rotations. */
export interface Face {
  card: string;
  shape: 'straight' | 'bend' | 'T';
  treasures: string[];
  open: string[];
}

/** A card in the labyrinth. */
export interface Placed {
  card: string;
  shape: 'straight' | 'bend' | 'T';
  treasures: string[];
  open: string[];
  x: number;
  y: number;
  rotation: number;
}

/** What a card could take from a cell; bit i of a set stands for the cell number i in `cells`. */
export interface Take {
  card: string;
  cell: string;
  rotations: number[];
  cells: string[];
  treasures: string[];
  sets: number[];
}

/** What lies open before a player: how many cards are in hand, and which were taken. */
export interface Seat {
  name: string;
  cards: number;
  taken: Face[];
  score: number;
}

/** What a chair sees, with all that can be done with the own hand. */
export interface LabyrinthTable {
  turns: number;
  deck: number;
  hand: Face[];
  labyrinth: Placed[];
  placements: Record<string, string[]>;
  takes: Take[];
  seats: Seat[];
  unseen: string[];
}
