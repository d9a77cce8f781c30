// Made from clew.core.shapes by web/scripts/make_types.py; `make types` makes it anew.

/** How a game ended, seat by seat. */
export interface OutcomeShape {
  places: number[];
  scores: number[];
  ended: string;
}

/** What a chair knows. */
export interface View {
  game: string;
  rules: number;
  options: Record<string, number | string>;
  players: number;
  seat: number | null;
  to_move: number[];
  outcome: OutcomeShape | null;
  table: unknown;
  known: string;
}
