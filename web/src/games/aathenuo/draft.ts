/** A play in the making: where each tile lies now and where it came from. What is right or wrong the server says. */

import type { Tile } from '../../generated/aathenuo';

export interface Piece {
  /** A tile keeps its id through the turn. */
  id: string;
  tile: string;
  /** Where it lay when the turn began; null for the rack. */
  from: [number, number] | null;
  /** Where it lies; null on the rack. */
  at: [number, number] | null;
}

export function begin(tiles: Tile[], rack: string[]): Piece[] {
  return [
    ...tiles.map(({ tile, x, y }) => ({ id: `${x},${y}`, tile, from: [x, y], at: [x, y] }) as Piece),
    ...rack.map((tile, i) => ({ id: `rack${i}`, tile, from: null, at: null }) as Piece),
  ];
}

export const same = (a: [number, number] | null, b: [number, number] | null) =>
  a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);

export function pieceAt(pieces: Piece[], x: number, y: number): Piece | undefined {
  return pieces.find(({ at }) => at !== null && at[0] === x && at[1] === y);
}

/** The pieces with one of them elsewhere; the same if that place is taken or not for it. */
export function put(pieces: Piece[], id: string, at: [number, number] | null): Piece[] {
  const moved = pieces.find((piece) => piece.id === id);
  if (!moved || same(moved.at, at)) return pieces;
  if (at === null ? moved.from !== null : pieceAt(pieces, at[0], at[1]) || Math.max(...at.map(Math.abs)) > 99) return pieces;
  return pieces.map((piece) => (piece === moved ? { ...piece, at } : piece));
}

/** The whole as one move, in reading order: tiles from the rack, then tiles moved. */
export function written(pieces: Piece[]): string {
  const reading = (a: Piece, b: Piece) => a.at![1] - b.at![1] || a.at![0] - b.at![0];
  const laid = pieces.filter((piece) => !piece.from && piece.at).sort(reading);
  const moved = pieces.filter((piece) => piece.from && piece.at && !same(piece.from, piece.at)).sort(reading);
  return [
    ...laid.map((piece) => `${piece.tile}@${piece.at!.join(',')}`),
    ...moved.map((piece) => `${piece.from!.join(',')}>${piece.at!.join(',')}`),
  ].join(' ');
}

/** The pieces after a written move, as a hint gives one. */
export function apply(pieces: Piece[], move: string): Piece[] {
  let next = pieces.map((piece) => ({ ...piece }));
  for (const word of move.split(' ')) {
    const [what, goal] = word.split(/[@>]/);
    if (goal === undefined) return pieces;
    const at = goal.split(',').map(Number) as [number, number];
    const piece = word.includes('@')
      ? next.find((one) => !one.from && !one.at && one.tile === what)
      : next.find((one) => one.from?.join(',') === what);
    if (!piece) return pieces;
    piece.at = at;
  }
  return next;
}
