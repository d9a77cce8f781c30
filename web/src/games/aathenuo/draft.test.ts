import { describe, expect, it } from 'vitest';
import { apply, begin, put, written } from './draft';

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
    expect(put(pieces, 'rack0', [100, 0])).toBe(pieces);
  });
  it('can be read from a written move', () => {
    const move = 'R3@2,0 0,0>1,0 1,0>0,0';
    const pieces = apply(start(), move);
    expect(written(pieces)).toBe('R3@2,0 1,0>0,0 0,0>1,0');
    expect(apply(pieces, 'draw')).toBe(pieces);
  });
});
