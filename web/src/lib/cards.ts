/** A card of a French deck in words. */

import { words } from '../lang/en';

export function cardName(card: string): string {
  return words.cards.of(words.cards.ranks[card[0]] ?? card[0], words.cards.suits[card[1]] ?? '');
}
