import { expect, test } from 'vitest';
import { inWords } from './clock';

test('a clock is said in words', () => {
  expect(inWords({ move: 20 }, 2)).toBe('Each move has 20 seconds. When time is up, a bot plays on, until you take your chair back.');
  expect(inWords({ move: 60, then: 'lose' }, 2)).toBe('Each move has 1 minute. When time is up, the game is lost.');
  expect(inWords({ total: 1500, increment: 10, then: 'lose' }, 3)).toBe(
    'Each player has 25 minutes for the whole game. Every move gives 10 seconds more. When time is up, the chair is given up, and a bot plays on.',
  );
});
