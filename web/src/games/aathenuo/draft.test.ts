import { describe, expect, it } from 'vitest';
import { apply, begin, changedSince, distinct, keep, kept, put, written } from './draft';

const tile = (name: string, x: number, y: number) => ({ tile: name, x, y, colour: name[0], number: 1, can_be: [1] });
const start = () => begin([tile('R1', 0, 0), tile('R2', 1, 0)], ['R3', 'B*']);

describe('a play in the making', () => {
  it('is written with the rack first and then what moved, in reading order', () => {
    let pieces = put(start(), '1,0', [5, 2]);
    pieces = put(pieces, 'rack1', [3, 1]);
    pieces = put(pieces, 'rack0', [2, -1]);
    expect(written(pieces)).toBe('R3@2,-1 B*@3,1 1,0>5,2');
  });
  it('says nothing of a tile that came back', () => {
    expect(written(put(put(start(), '1,0', [5, 2]), '1,0', [1, 0]))).toBe('');
  });
  it('never puts two tiles on a cell, nor a tile of the table on the rack', () => {
    const pieces = start();
    expect(put(pieces, 'rack0', [1, 0])).toBe(pieces);
    expect(put(pieces, '1,0', null)).toBe(pieces);
  });
  it('can be read from a written move', () => {
    const move = 'R3@2,0 0,0>1,0 1,0>0,0';
    const pieces = apply(start(), move);
    expect(written(pieces)).toBe('R3@2,0 1,0>0,0 0,0>1,0');
    expect(apply(pieces, 'draw')).toBe(pieces);
  });
});

const turn = (number: number, seat: number, data: object) => ({ number, seat, told: [{ kind: 'play', text: '', data }] });

it('knows who laid and moved what lies on the table', () => {
  const changed = changedSince([
    turn(1, 1, { laid: [{ tile: 'R3', x: 2, y: 0 }, { tile: 'R4', x: 3, y: 0 }], moved: [] }),
    turn(2, 2, { laid: [{ tile: 'B3', x: 2, y: 1 }], moved: [{ tile: 'R4', from: [3, 0], to: [5, 5] }] }),
  ]);
  expect(Object.fromEntries(changed)).toEqual({ '2,0': 1, '2,1': 2, '5,5': 2 });
});

it('keeps a play for the same table only', () => {
  keep('one', { turn: 1 }, 'R3@2,0');
  expect(kept('one', { turn: 1 })).toBe('R3@2,0');
  expect(kept('one', { turn: 2 })).toBe('');
  expect(kept('other', { turn: 1 })).toBe('');
  keep('one', { turn: 1 }, '');
  expect(kept('one', { turn: 1 })).toBe('');
});

it('keeps the first of those with the same key', () => {
  expect(distinct(['red 4', 'blue 1', 'red 7'], (one) => one.split(' ')[0])).toEqual(['red 4', 'blue 1']);
});
