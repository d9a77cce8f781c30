/** How a finished game went for who looks at a list of them. */

import type { Table } from '../generated/messages';
import { words } from '../lang/en';
import { signed } from './figures';

export function outcomeOf(table: Pick<Table, 'seats' | 'result' | 'one_device'>): string {
  const say = words.home;
  const { seats, result } = table;
  if (!result) return '';
  if (result.ended === 'abandoned' || result.ended === 'rules') return say.gaveUp[result.ended];
  const own = seats.findIndex((seat) => seat.yours);
  const first = seats.flatMap((seat, i) => (result.places[i] === 1 ? [seat.name || seat.colour] : []));
  const order = seats.map((_, i) => i).sort((a, b) => result.places[a] - result.places[b] || a - b);
  const scores = result.scores ? say.scores(order.map((i) => signed(result.scores![i]))) : '';
  const early = say.gaveUp[result.ended] ? ` (${say.gaveUp[result.ended]})` : scores;
  if (own < 0 || table.one_device) return say.wonBy(first) + early;
  if (result.places[own] === 1) return (first.length > 1 ? say.shared : say.won) + early;
  return (seats.length > 2 ? say.placed(result.places[own], seats.length) : say.wonBy(first)) + early;
}
