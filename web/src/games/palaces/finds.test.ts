import { expect, it } from 'vitest';
import { dugUp } from './finds';

const ring = { find: 'rare', step: 4, count: 1, points: 25 };
const told = (finds: object[]) => [
  { kind: 'advance', text: '', data: { card: 'K7', palace: 'K', step: 4, finds } },
  { kind: 'draw', text: '', data: {} },
];

it('knows which moves found something', () => {
  const moves = [
    { number: 3, seat: 0, told: told([ring]) },
    { number: 4, seat: 1, told: told([]) },
    { number: 5, seat: 1, told: [{ kind: 'discard', text: '' }] },
  ];
  expect(dugUp(moves)).toEqual([{ number: 3, seat: 0, letter: 'K', finds: [ring] }]);
});
