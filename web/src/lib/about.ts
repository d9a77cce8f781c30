/** For whom a game is, how long it takes and whose it is: what the game itself declares. */

import type { GameInfo } from '../generated/rest';
import { words } from '../lang/en';

export function about(game: Pick<GameInfo, 'players' | 'recommended' | 'minutes' | 'age' | 'author' | 'learnt'>): string {
  const say = words.home;
  return [
    say.players(game.players[0], game.players[1]),
    game.recommended && say.recommended(game.recommended),
    game.minutes && say.minutes(game.minutes),
    game.age && say.age(game.age),
    game.author && say.author(game.author),
    game.learnt && say.learnt,
  ]
    .filter(Boolean)
    .join(' · ');
}
