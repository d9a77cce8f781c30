import { expect, test } from 'vitest';
import type { Figure, Measure } from '../generated/lab';
import { drawn, figure, number, scale } from './scale';

const one = (more: Partial<Figure>): Figure => ({ label: 'seat 1', value: 0.541, low: 0.528, high: 0.554, method: 'Wilson', games: 400, fair: 0.5, note: '', facts: {}, examples: [], ...more });
const of = (...figures: Figure[]) => ({ unit: 'share', figures }) as unknown as Measure;

test('a figure is said with its interval, and without one where all games were alike', () => {
  expect(figure(one({}), 'share')).toBe('54.1 % (52.8–55.4)');
  expect(figure(one({ value: 84, low: 84, high: 84 }), 'turns')).toBe('84');
  expect(figure(one({ value: -3, low: -5.25, high: 1 }), 'points')).toBe('−3 (−5.3 to 1)');
  expect(figure(one({ value: null }), 'share')).toBe('–');
  expect(number(-0.0001, 'share')).toBe('0 %');
});

test('everything that is drawn has its place on the plot, and the even value too', () => {
  const { at, low, high } = scale([of(one({})), of(one({ value: 0.4, low: 0.3, high: 0.5 }))]);
  for (const value of [0.3, 0.4, 0.5, 0.554]) {
    expect(at(value)).toBeGreaterThan(0);
    expect(at(value)).toBeLessThan(100);
  }
  expect([low, high]).toEqual([0.3, 0.554]);
  expect(at(0.5)).toBeGreaterThan(at(0.4));
  const { at: same } = scale([of(one({ value: 84, low: 84, high: 84, fair: null }))]);
  expect(same(84)).toBe(50);
  expect(drawn(of(one({ method: 'seen' }), one({ value: null })))).toEqual([]);
});
