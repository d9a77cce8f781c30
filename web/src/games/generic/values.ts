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

/** A table with the names of who sits there for the numbers of seats, its own fields' and those of each seat; nobody is null. */
export function withNames(table: unknown, fields: Record<string, number> = {}, names: string[] = []): unknown {
  const name = (value: unknown, first: number): unknown =>
    typeof value === 'number' ? (names[value - first] ?? null)
    : Array.isArray(value) ? value.map((one) => name(one, first))
    : record(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, name(one, first)]))
    : value;
  const inRecord = (told: unknown): unknown =>
    record(told) ? Object.fromEntries(Object.entries(told).map(([key, one]) => [key, Object.hasOwn(fields, key) ? name(one, fields[key]) : one])) : told;
  const all = inRecord(table);
  return record(all) && Array.isArray(all.seats) ? { ...all, seats: all.seats.map(inRecord) } : all;
}

/** Whether a field only keeps the books: that nothing has ended, or whose turn it is, which the page says anyway. */
export function bookkeeping(key: string, value: unknown, fields: Record<string, number>, toMove: number[]): boolean {
  if (key === 'ended') return value === 0;
  if (!['turn', 'turns'].includes(key) || !Object.hasOwn(fields, key) || typeof value !== 'number') return false;
  return !toMove.length || (toMove.length === 1 && toMove[0] === value - fields[key]);
}
