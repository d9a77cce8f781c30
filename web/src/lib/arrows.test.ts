import { expect, it } from 'vitest';
import { nearest } from './arrows';

it('walks to what lies nearest in a direction, and being aside counts', () => {
  const spots: [number, number][] = [[100, 0], [60, 50], [-10, 0], [0, 80]];
  expect(nearest([0, 0], [1, 0], spots)).toBe(0);
  expect(nearest([0, 0], [-1, 0], spots)).toBe(2);
  expect(nearest([0, 0], [0, 1], spots)).toBe(3);
  expect(nearest([0, 0], [0, -1], spots)).toBe(-1);
});
