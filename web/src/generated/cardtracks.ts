// Made from clew.games.cardtracks.shapes by web/scripts/make_types.py; `make types` makes it anew.

/** The card that goes on a track now, and the step of each track that it would lie on. */
export interface Waiting {
  seat: number;
  card: string;
  beaten: string;
  landing: (number | null)[];
}

/** Two cards turned over, and where the winning one was put. */
export interface Flip {
  cards: string[];
  winner: number | null;
  track: number | null;
  step: number | null;
}

/** A player's way to the centre of a track. */
export interface Lane {
  step: number;
  steps: string[][];
  last: string | null;
  compared: string | null;
  centre: string | null;
}

/** A track with a lane for each player. */
export interface Track {
  number: number;
  colour: 'gold' | 'green' | 'wine' | 'grey' | 'teal';
  winner: number | null;
  card: string | null;
  points: number | null;
  lanes: Lane[];
}

/** What is known of a player's cards. */
export interface Seat {
  name: string;
  score: number;
  tracks: number;
  chosen: boolean;
  choice: string | null;
  spare: string | null;
  discards: string[];
  unseen: string[];
}

/** What a chair sees. */
export interface CardtracksTable {
  phase: 'place' | 'choose' | 'over';
  track_length: number;
  deck: number;
  flip: Waiting | null;
  flips: Flip[];
  tracks: Track[];
  seats: Seat[];
}
