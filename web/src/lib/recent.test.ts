import { expect, it } from 'vitest';
import { recent } from './recent';

const move = (number: number, seat: number, more = {}) => ({ number, kind: 'move', seat, told: [{ kind: 'place', text: `${number}` }], ...more });
const numbers = (log: Parameters<typeof recent>[0], seat: number | null, players = 3) => recent(log, seat, players).map((turn) => turn.number);

it('begins with the own last move', () => {
  const log = [move(1, 0), move(2, 1), move(3, 2), { number: 4, kind: 'chat', seat: 1, text: 'well' }, move(5, 0), move(6, 1)];
  expect(numbers(log, 0)).toEqual([5, 6]);
  expect(numbers(log, 1)).toEqual([6]);
  expect(numbers(log, 2)).toEqual([3, 5, 6]);
});

it('has all moves for a chair that has not moved, and a round for who watches', () => {
  const log = [move(1, 0), move(2, 1), move(3, 0), move(4, 1), move(5, 0)];
  expect(numbers(log, 2)).toEqual([1, 2, 3, 4, 5]);
  expect(numbers(log, null)).toEqual([3, 4, 5]);
  expect(numbers([], null)).toEqual([]);
});

it('leaves out what was taken back, and the opening of a record', () => {
  expect(numbers([move(1, 0), move(2, 1), move(3, 0, { taken_back: true })], 0)).toEqual([1, 2]);
  expect(numbers([{ number: 0, told: [] }, { number: 1, seat: 1, told: [] }], 0)).toEqual([1]);
});
