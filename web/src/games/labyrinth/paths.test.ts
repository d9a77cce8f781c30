import { expect, it } from 'vitest';
import type { Face, LabyrinthTable } from '../../generated/labyrinth';
import { placedSince, pointedOut, run, threads } from './paths';

const card = (name: string, x: number, y: number, open: string) => ({ card: name, shape: 'straight' as const, treasures: [], open: [open], x, y, rotation: 0 });

it('runs through open sides that meet, by the shortest way', () => {
  const cards = [card('a', 0, 0, 'E'), card('b', 1, 0, 'WE'), card('c', 2, 0, 'WS'), card('d', 2, 1, 'N'), card('e', 0, 1, 'N')];
  const lit = run(cards, '0,0', ['2,1']);
  const sorted = [...lit].map(([cell, sides]) => [cell, [...sides].sort().join('')]);
  expect(Object.fromEntries(sorted)).toEqual({ '0,0': 'E', '1,0': 'EW', '2,0': 'SW', '2,1': 'N' });
  expect(run(cards, '0,0', ['0,1']).size).toBe(0);
});

const face = (name: string, shape: Face['shape'], treasures: string[], open: string[]): Face => ({ card: name, shape, treasures, open });
const key = face('c06', 'T', ['money bag', 'key'], ['NES', 'ESW', 'NSW', 'NEW']);
const map = face('c04', 'bend', ['troll', 'map'], ['NE', 'ES', 'SW', 'NW']);
const bag = face('c31', 'straight', ['money bag', 'owl'], ['NS', 'EW']);
const told = [
  { kind: 'place', text: '', data: { card: 'c06', rotation: 1, cell: '0,0' } },
  { kind: 'take', text: '', data: { cards: ['c31'], cells: ['1,1'] } },
  { kind: 'path', text: '', data: { cards: ['c31'], cells: ['1,1'], rotation: 0, treasure: 'money bag', way: ['0,0', '1,0', '1,1'] } },
];
const table = {
  labyrinth: [{ ...key, x: 0, y: 0, rotation: 1 }, { ...map, x: 1, y: 0, rotation: 2 }],
  seats: [{ taken: [bag] }, { taken: [] }],
} as unknown as LabyrinthTable;

it('knows how the cards lay between which a path was pointed out', () => {
  const [path, ...others] = pointedOut([{ number: 7, seat: 1, told }], table);
  expect(others).toEqual([]);
  expect(path).toMatchObject({ number: 7, seat: 1, treasure: 'money bag', from: { card: 'c06', x: 0, y: 0, rotation: 1 }, taken: { card: 'c31', x: 1, y: 1, rotation: 0 } });
  expect(pointedOut([{ number: 8, seat: 0, told: told.slice(0, 2) }], table)).toEqual([]);
});

it('draws a thread from treasure to treasure, over the middle of a card only where it has to', () => {
  const [path] = pointedOut([{ number: 7, seat: 1, told }], table);
  const lines = (one: typeof path) => [...threads([one])].map(([cell, [{ line }]]) => [cell, line]);
  // On the T the money bag lies on the arm to the east, by which the path leaves; the bend is crossed at its middle;
  // on the straight card it lies on the northern arm, by which the path comes in.
  expect(lines(path)).toEqual([
    ['0,0', [[78, 50], [102, 50]]],
    ['1,0', [[-2, 50], [50, 50], [50, 102]]],
    ['1,1', [[50, -2], [50, 25]]],
  ]);
  const turned = { ...path, from: { ...path.from, rotation: 3 }, taken: { ...path.taken, treasures: ['owl', 'money bag'] } };
  expect(lines(turned)[0]).toEqual(['0,0', [[22, 50], [50, 50], [102, 50]]]);
  expect(lines(turned)[2]).toEqual(['1,1', [[50, -2], [50, 50], [50, 75]]]);
});

it('tells the threads of the last move that took from older ones', () => {
  const [path] = pointedOut([{ number: 7, seat: 1, told }], table);
  const found = threads([path, { ...path, number: 9 }]);
  expect(found.get('1,0')!.map((piece) => piece.old)).toEqual([true, false]);
});

it('knows who placed which card', () => {
  expect([...placedSince([{ number: 7, seat: 1, told }, { number: 8, seat: 2, told: told.slice(1) }])]).toEqual([['c06', 1]]);
});
