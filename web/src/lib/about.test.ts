import { expect, it } from 'vitest';
import { about } from './about';

const plain = { players: [2, 2], recommended: null, author: '', age: null, minutes: null, learnt: false };

it('says what a game declares and nothing else', () => {
  expect(about(plain)).toBe('2 players');
  expect(about({ ...plain, age: 8, minutes: 25, author: 'Rey Alicea' })).toBe('2 players · 25 minutes · from age 8 · by Rey Alicea');
  expect(about({ ...plain, players: [2, 4], recommended: 4 })).toBe('2–4 players · 4 recommended');
  expect(about({ ...plain, learnt: true })).toBe('2 players · bots that learnt it by playing');
});
