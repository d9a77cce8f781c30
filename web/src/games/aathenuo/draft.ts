/** A play in the making: where each tile lies now and where it came from. What is right or wrong the server says. */

import type { Tile } from '../../generated/aathenuo';
import type { Turn } from '../../lib/recent';

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
  if (at === null ? moved.from !== null : pieceAt(pieces, at[0], at[1])) return pieces;
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

/** By cells, who laid or moved what lies there in these turns. */
export function changedSince(turns: Turn[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { seat, told } of turns) {
    const data = told.find((one) => one.kind === 'play')?.data;
    if (!data || seat === null) continue;
    for (const { from } of data.moved) found.delete(from.join(','));
    for (const { to } of data.moved) found.set(to.join(','), seat);
    for (const { x, y } of data.laid) found.set(`${x},${y}`, seat);
  }
  return found;
}

/** A play in the making outlives a reload of the page, as long as the table is the same. */
export function keep(name: string, view: unknown, move: string): void {
  try {
    if (move) sessionStorage.setItem(`draft ${name}`, JSON.stringify([JSON.stringify(view), move]));
    else sessionStorage.removeItem(`draft ${name}`);
  } catch {
    // Where nothing may be stored a draft is gone with the page.
  }
}

/** The move that was kept for this table; '' if it has changed since. */
export function kept(name: string, view: unknown): string {
  try {
    const [seen, move] = JSON.parse(sessionStorage.getItem(`draft ${name}`) ?? '[]') as string[];
    return seen === JSON.stringify(view) ? (move ?? '') : '';
  } catch {
    return '';
  }
}

/** The first of those with the same key. */
export function distinct<T>(all: T[], key: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((one) => !seen.has(key(one)) && seen.add(key(one)));
}
