import { expect, test } from 'vitest';
import { marksOf } from './marks';

const turn = (number: number, seat: number, kind: string, palace: string) => ({ number, seat, told: [{ kind, text: '', data: { palace } }, { kind: 'draw', text: '' }] });

test('what the other did is marked, not what oneself did', () => {
  const moves = [turn(3, 0, 'advance', 'K'), turn(4, 1, 'start', 'M')];
  expect([...marksOf(moves, 0)]).toEqual([['pawn:M1', 1], ['pile:M1', 1]]);
  expect(marksOf(moves, null).size).toBe(4);
});

test('an attack marks whom it hit, in the colour of who attacked', () => {
  expect([...marksOf([turn(4, 1, 'attack', 'Z')], 0)]).toEqual([['pawn:Z0', 1], ['discard', 1]]);
});
