/** How plain data is called and written on the generic table. */

import { words } from '../../lang/en';

export const plain = (value: unknown) => value === null || typeof value !== 'object';

export const record = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const named = (key: string) => key.replaceAll('_', ' ');

export function shown(value: unknown): string {
  const say = words.generic;
  if (value === null || value === '') return say.nothing;
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  return typeof value === 'number' ? String(value).replace('-', '−') : String(value);
}

/** Rows of records make a table if every cell is short; with more inside, each is a card of its own. */
export const asTable = (rows: Record<string, unknown>[]) =>
  rows.every((row) => Object.values(row).every((cell) => plain(cell) || (Array.isArray(cell) && cell.length < 12 && cell.every(plain))));

/** What a card is called: its first text. */
export function titleOf(row: Record<string, unknown>): string | null {
  return Object.keys(row).find((key) => typeof row[key] === 'string') ?? null;
}
