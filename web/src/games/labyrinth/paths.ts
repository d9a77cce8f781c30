/** How a path runs, to draw it: what is connected with what is told by the server. */

import type { Face, LabyrinthTable, Placed } from '../../generated/labyrinth';
import type { Turn } from '../../lib/recent';

const WAYS: Record<string, [number, number, string]> = { N: [0, -1, 'S'], E: [1, 0, 'W'], S: [0, 1, 'N'], W: [-1, 0, 'E'] };

export const cellOf = (x: number, y: number) => `${x},${y}`;

/** By cells, the sides that the shortest ways from one cell to others run through. */
export function run(cards: Placed[], from: string, goals: string[]): Map<string, string> {
  const open = new Map(cards.map((card) => [cellOf(card.x, card.y), card.open[card.rotation]]));
  const before = new Map<string, [cell: string, side: string]>();
  const walk = [from];
  for (const here of walk) {
    const [x, y] = here.split(',').map(Number);
    for (const side of open.get(here) ?? '') {
      const [dx, dy, back] = WAYS[side];
      const next = cellOf(x + dx, y + dy);
      if (next === from || before.has(next) || !open.get(next)?.includes(back)) continue;
      before.set(next, [here, side]);
      walk.push(next);
    }
  }
  const sides = new Map<string, Set<string>>();
  const mark = (cell: string, side: string) => sides.set(cell, (sides.get(cell) ?? new Set()).add(side));
  for (const goal of goals) {
    for (let here = goal; before.has(here); ) {
      const [last, side] = before.get(here)!;
      mark(last, side);
      mark(here, WAYS[side][2]);
      here = last;
    }
  }
  return new Map([...sides].map(([cell, through]) => [cell, [...through].join('')]));
}

/** Where the two treasures lie on a card as it is printed, in hundredths of it, and the side towards which they lie. */
export const SPOTS: Record<Face['shape'], [x: number, y: number, side: string][]> = {
  straight: [[50, 25, 'N'], [50, 75, 'S']],
  bend: [[50, 21, 'N'], [79, 50, 'E']],
  T: [[50, 22, 'N'], [50, 78, 'S']],
};
/** The middles of the sides, a little beyond the card: threads meet between two cards. */
export const EDGES: Record<string, Point> = { N: [50, -2], E: [102, 50], S: [50, 102], W: [-2, 50] };
const ROUND = 'NESW';
type Point = [x: number, y: number];

/** A path that somebody pointed out: from a treasure on the card placed to its like on a card taken. */
export interface PointedOut {
  /** The number of the move. */
  number: number;
  seat: number;
  treasure: string;
  way: string[];
  from: Placed;
  taken: Placed;
}

/** The paths of all cards taken in these moves. */
export function pointedOut(moves: Turn[], table: LabyrinthTable): PointedOut[] {
  const faces = new Map<string, Face>([...table.labyrinth, ...table.seats.flatMap((seat) => seat.taken)].map((face) => [face.card, face]));
  const lying = (card: string, rotation: number, cell: string): Placed => {
    const [x, y] = cell.split(',').map(Number);
    return { ...faces.get(card)!, rotation, x, y };
  };
  return moves.flatMap(({ number, seat, told }) => {
    const placed = told.find((one) => one.kind === 'place')?.data;
    return told.flatMap(({ kind, data }) =>
      kind === 'path' && placed && data
        ? [{
            number,
            seat: seat ?? 0,
            treasure: data.treasure,
            way: data.way,
            from: lying(placed.card, placed.rotation, placed.cell),
            taken: lying(data.cards[0], data.rotation, data.cells[0]),
          }]
        : [],
    );
  });
}

/** The cards that were placed in these moves, with who did it, the newest last. */
export function placedSince(moves: Turn[]): Map<string, number> {
  return new Map(
    moves.flatMap(({ seat, told }) =>
      told.flatMap(({ kind, data }) => (kind === 'place' && data && seat !== null ? [[data.card as string, seat] as const] : [])),
    ),
  );
}

/** The place of a treasure on its card as it lies, in hundredths, and the side towards which it lies. */
function spot(card: Placed, treasure: string): { at: Point; side: string } {
  const [x, y, side] = SPOTS[card.shape][card.treasures.indexOf(treasure)];
  let [dx, dy] = [x - 50, y - 50];
  for (let quarter = 0; quarter < card.rotation; quarter++) [dx, dy] = [-dy, dx];
  return { at: [50 + dx, 50 + dy], side: ROUND[(ROUND.indexOf(side) + card.rotation) % 4] };
}

/** A piece of a thread on one card: its line, how far along the thread it begins and ends, and whether it is an older one. */
export interface Thread {
  line: Point[];
  from: number;
  to: number;
  old: boolean;
}

/** By cells, the threads along the corridors from treasure to treasure; those before the last move that took are old. */
export function threads(paths: PointedOut[]): Map<string, Thread[]> {
  const found = new Map<string, Thread[]>();
  for (const { number, way, treasure, from, taken } of paths) {
    way.forEach((cell, i) => {
      // From where the thread comes in to where it goes out; the middle is crossed where these are not on one arm.
      const come = i ? { at: EDGES[side(cell, way[i - 1])], side: side(cell, way[i - 1]) } : spot(from, treasure);
      const go = i < way.length - 1 ? { at: EDGES[side(cell, way[i + 1])], side: side(cell, way[i + 1]) } : spot(taken, treasure);
      const line: Point[] = come.side === go.side ? [come.at, go.at] : [come.at, [50, 50], go.at];
      const piece = { line, from: i / way.length, to: (i + 1) / way.length, old: number !== paths.at(-1)!.number };
      found.set(cell, [...(found.get(cell) ?? []), piece]);
    });
  }
  return found;
}

/** The side of a cell on which its neighbour lies. */
function side(cell: string, next: string): string {
  const [[x, y], [nx, ny]] = [cell, next].map((one) => one.split(',').map(Number));
  return Object.keys(WAYS).find((one) => WAYS[one][0] === nx - x && WAYS[one][1] === ny - y)!;
}
