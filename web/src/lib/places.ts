/** Where a cell lies, in words that need no coordinates: beside what, or in which row and column. */

import { words } from '../lang/en';

export interface Named {
  x: number;
  y: number;
  name: string;
}

/** A cell as seen from the nearest of these things: "right of the key card"; '' where there is none. */
export function beside(x: number, y: number, things: Named[]): string {
  let nearest: Named | null = null;
  let least = Infinity;
  for (const thing of things) {
    // What lies in the same row or column is named rather than what lies at a corner.
    const far = Math.abs(x - thing.x) + Math.abs(y - thing.y);
    if (far && far < least) [nearest, least] = [thing, far];
  }
  return nearest ? words.places.from(x - nearest.x, y - nearest.y, nearest.name) : '';
}

/** The way over these cells, in steps: "right, right, down". */
export function steps(way: string[]): string {
  const cells = way.map((cell) => cell.split(',').map(Number));
  return cells
    .slice(1)
    .map(([x, y], i) => words.places.step(x - cells[i][0], y - cells[i][1]))
    .join(', ');
}
