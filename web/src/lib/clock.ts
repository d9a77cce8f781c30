/** How time is kept at a table, said in words. */

import type { ClockRule } from '../generated/messages';
import { words } from '../lang/en';

export function inWords(rule: Partial<ClockRule>, players: number): string {
  const say = words.clock;
  const kept = rule.move ? say.move(say.time(rule.move)) : say.total(say.time(rule.total ?? 0));
  const more = rule.increment ? say.increment(say.time(rule.increment)) : '';
  const end = rule.then !== 'lose' ? say.bot : players > 2 ? say.giveUp : say.lose;
  return [kept, more, end].filter(Boolean).join(' ');
}
