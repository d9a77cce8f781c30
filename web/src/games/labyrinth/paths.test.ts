import { expect, it } from 'vitest';
import { run } from './paths';

const card = (name: string, x: number, y: number, open: string) => ({ card: name, shape: 'straight' as const, treasures: [], open: [open], x, y, rotation: 0 });

it('runs through open sides that meet, by the shortest way', () => {
  const cards = [card('a', 0, 0, 'E'), card('b', 1, 0, 'WE'), card('c', 2, 0, 'WS'), card('d', 2, 1, 'N'), card('e', 0, 1, 'N')];
  const lit = run(cards, '0,0', ['2,1']);
  const sorted = [...lit].map(([cell, sides]) => [cell, [...sides].sort().join('')]);
  expect(Object.fromEntries(sorted)).toEqual({ '0,0': 'E', '1,0': 'EW', '2,0': 'SW', '2,1': 'N' });
  expect(run(cards, '0,0', ['0,1']).size).toBe(0);
});
