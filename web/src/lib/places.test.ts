import { expect, it } from 'vitest';
import { beside, steps } from './places';

const key = { x: 0, y: 0, name: 'the key' };
const owl = { x: 2, y: 1, name: 'the owl' };

it('names the nearest thing and on which side of it a cell lies', () => {
  expect(beside(1, 0, [key, owl])).toBe('right of the key');
  expect(beside(2, 0, [key, owl])).toBe('above the owl');
  expect(beside(-1, -1, [key, owl])).toBe('above and left of the key');
  expect(beside(5, 3, [key, owl])).toBe('2 below and 3 right of the owl');
  expect(beside(0, 0, [])).toBe('');
});

it('tells a way in steps', () => {
  expect(steps(['0,0', '1,0', '1,-1', '0,-1', '0,0'])).toBe('right, up, left, down');
});
