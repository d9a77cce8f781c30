import { expect, test } from 'vitest';
import { percents, proper, signed } from './figures';

test('percents come to a hundred', () => {
  expect(percents([0.355, 0.645])).toEqual([36, 64]);
  expect(percents([0.345, 0.655])).toEqual([35, 65]);
  expect(percents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
  expect(percents([0, 1])).toEqual([0, 100]);
  for (let i = 0; i <= 1000; i++) expect(percents([i / 1000, 1 - i / 1000]).reduce((a, b) => a + b)).toBe(100);
});
test('a number below nought has a minus sign, not a hyphen', () => {
  expect(signed(-1)).toBe('−1');
  expect(signed('')).toBe('');
  expect(proper('you win by 0 to -1.')).toBe('you win by 0\u00a0to\u00a0−1.');
  expect(proper('a well-known 5-card hand')).toBe('a well-known 5-card hand');
});
