import { expect, it } from 'vitest';
import type { Lying } from '../../generated/ariadne';
import { laidSince } from './threads';

const lying = (card: string, x: number, y: number): Lying => ({ card, x, y, seat: 1, face: 'up', group: null, last: false });
const turn = (number: number, ...told: [string, string, number[]][]) => ({
  number,
  seat: 1,
  told: told.map(([kind, card, cell]) => ({ kind, text: '', data: { card, cell } })),
});

it('finds what was laid and what had to move for it, the newest last, if it still lies there', () => {
  const turns = [turn(1, ['play', '3H', [0, 1]]), turn(3, ['swap', '5H', [1, 1]], ['turn', '3S', [2, 2]])];
  const found = laidSince(turns, [lying('3S', 2, 2), lying('5H', 1, 1), lying('3H', 4, 4)]);
  expect([...found]).toEqual([['5H', 1], ['3S', 1]]);
});
