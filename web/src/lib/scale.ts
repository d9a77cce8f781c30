/** Figures of the lab: as people read them, and where they are on a plot. */

import type { Figure, Measure } from '../generated/lab';

/** A number with as many places as its unit bears. */
export function number(value: number, unit: Measure['unit']): string {
  const places = unit === 'times' ? 2 : 1;
  const text = (unit === 'share' ? 100 * value : value).toFixed(places).replace(/\.0+$/, '').replace(/^-(?=0$)/, '').replace('-', '−');
  return unit === 'share' ? `${text} %` : text;
}

/** A figure with its 95 % interval. */
export function figure(one: Figure, unit: Measure['unit']): string {
  if (one.value === null) return '–';
  if (one.low === null || one.high === null || one.low === one.high) return number(one.value, unit);
  const [low, high] = [one.low, one.high].map((bound) => number(bound, unit).replace(' %', ''));
  return `${number(one.value, unit)} (${low}${one.low < 0 ? ' to ' : '–'}${high})`;
}

export interface Scale {
  /** Where a value is, in percent of the width. */
  at(value: number): number;
  low: number;
  high: number;
}
/** The scale of all that is drawn of a measure, at all levels. */
export function scale(measures: Measure[]): Scale {
  const values = measures.flatMap((measure) => drawn(measure).flatMap((one) => [one.value, one.low, one.high, one.fair]));
  const known = values.filter((value): value is number => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const pad = (high - low) * 0.06 || Math.max(Math.abs(high) * 0.1, 0.05);
  return { at: (value) => (100 * (value - low + pad)) / (high - low + 2 * pad), low, high };
}

/** The figures of a measure that are drawn: the longest game of all would push everything else into a corner. */
export const drawn = (measure: Measure) => measure.figures.filter((one) => one.value !== null && one.method !== 'seen');
