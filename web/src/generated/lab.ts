// Made from clew.lab.result by web/scripts/make_types.py; `make types` makes it anew.

/** One number with its 95 % interval, and some of the games behind it. */
export interface Figure {
  label: string;
  value: number | null;
  low: number | null;
  high: number | null;
  method: string;
  games: number;
  fair: number | null;
  note: string;
  facts: Record<string, number | number | string>;
  examples: number[];
}

/** One question with its answers: a figure, or one for each seat, ending, card. */
export interface Measure {
  key: string;
  question: string;
  title: string;
  definition: string;
  unit: 'share' | 'moves' | 'turns' | 'minutes' | 'points' | 'times' | 'number' | 'Elo';
  level: string;
  games: number;
  figures: Figure[];
  histogram: [number, number][];
  note: string;
}

/** Games of one level of play with the same options. */
export interface Run {
  name: string;
  level: string;
  options: Record<string, number | string>;
  games: number;
  wanted: number;
  finished: boolean;
  seconds: number;
  measures: Measure[];
}

/** One figure in two variants that were played on the same deals. */
export interface Difference {
  key: string;
  label: string;
  unit: 'share' | 'moves' | 'turns' | 'minutes' | 'points' | 'times' | 'number' | 'Elo';
  base: number;
  other: number;
  difference: number;
  low: number;
  high: number;
  p: number;
  corrected: number;
  significant: boolean;
}

/** A variant of a game against the base, on paired deals. */
export interface Comparison {
  option: string;
  base: number | string;
  other: number | string;
  level: string;
  games: number;
  same_deals: number;
  differences: Difference[];
  note: string;
}

/** A set of options that was found by aiming at targets. */
export interface Candidate {
  options: Record<string, number | string>;
  games: number;
  loss: number;
  meets: boolean;
  figures: Figure[];
}

/** All that `clew lab` found. */
export interface Report {
  game: string;
  title: string;
  version: number;
  players: number;
  options: Record<string, number | string>;
  seed: number;
  pace: number;
  finished: boolean;
  seconds: number;
  threads: number;
  runs: Run[];
  comparisons: Comparison[];
  candidates: Candidate[];
  about: Record<string, string>;
  format: number;
}

/** A report in words. */
export interface Words {
  sentences: string[];
  changes: string[];
  surprising: string[];
  unknown: string[];
}
