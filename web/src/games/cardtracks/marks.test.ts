import { expect, test } from 'vitest';
import { marksOf } from './marks';

test('every card that the other put down since is marked', () => {
  const put = (number: number, seat: number, track: number, step: number) => ({ number, seat, told: [{ kind: 'step', text: '', data: { track, step } }] });
  const moves = [put(2, 0, 1, 1), put(3, 1, 1, 1), put(4, 1, 3, 2)];
  expect([...marksOf(moves, 0).keys()]).toEqual(['slot:1.1.1', 'slot:3.1.2']);
});
