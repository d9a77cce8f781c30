// Made from clew.games.aathenuo.shapes by web/scripts/make_types.py; `make types` makes it anew.

/** A tile on the table, and the numbers that it can stand for. */
export interface Tile {
  tile: string;
  x: number;
  y: number;
  colour: string;
  number: number | null;
  can_be: number[];
}

/** A set on the table. */
export interface Line {
  kind: 'run' | 'group';
  cells: number[][];
  tiles: string[];
}

/** What is wrong with a part of a layout. */
export interface Fault {
  rule: string;
  text: string;
  cells: number[][];
  tiles: string[];
}

/** A play in the making: as one move, the table with it, what is wrong with that, what is left on the rack. */
export interface DraftShape {
  text: string;
  table: Tile[];
  faults: Fault[];
  rack: string[];
}

/** What others see of a player's rack. */
export interface Seat {
  name: string;
  tiles: number;
  colours: Record<string, number>;
  place: number;
  rack: string[] | null;
}

/** What a chair sees. */
export interface AathenuoTable {
  turns: number;
  turn: number;
  passes: number;
  first: number;
  bag: number;
  draw_off: ((string | null)[])[];
  tiles: Tile[];
  sets: Line[];
  rack: string[];
  seats: Seat[];
  unseen: Record<string, number>;
}
