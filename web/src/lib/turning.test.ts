import { expect, it } from 'vitest';
import { turningPoints } from './turning';

const game = (worlds: number, ...chances: number[]) => chances.map((chance, number) => ({ number, chances: [chance, 1 - chance], worlds }));

it('finds the moves after which a chance was another, the largest, in the order of the game', () => {
  const found = turningPoints(game(1000, 0.5, 0.52, 0.7, 0.68, 0.3, 0.31), 0);
  expect(found).toEqual([{ number: 2, from: 0.52, to: 0.7 }, { number: 4, from: 0.68, to: 0.3 }]);
  expect(turningPoints(game(1000, 0.5, 0.52, 0.7, 0.68, 0.3, 0.31), 1).map(({ number }) => number)).toEqual([2, 4]);
});
it('speaks of five at most', () => {
  const found = turningPoints(game(1000, 0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6), 0);
  expect(found.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});
it('keeps quiet about what may be chance', () => {
  expect(turningPoints(game(25, 0.5, 0.65, 0.5), 0)).toEqual([]);
});
it('knows the end, which is sure', () => {
  const all = [...game(1000, 0.5, 0.8), { number: 2, chances: [1, 0], worlds: 0 }];
  expect(turningPoints(all, 0).at(-1)).toEqual({ number: 2, from: 0.8, to: 1 });
});
