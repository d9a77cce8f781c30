import { expect, test } from 'vitest';
import { applied } from './changes';

test('a change leads to the new value and spoils nothing', () => {
  const was = { hand: ['K3', 'M4'], paths: [{ step: 1 }, { step: 0 }], pile: 40, seat: null };
  const before = JSON.stringify(was);
  const now = applied(was, { hand: { '1': ['M9'], '2': ['P1'] }, paths: { '1': { step: [1], cards: [['P2']] } }, seat: [0] }) as typeof was;
  expect(now).toEqual({ hand: ['K3', 'M9', 'P1'], paths: [{ step: 1 }, { step: 1, cards: ['P2'] }], pile: 40, seat: 0 });
  expect(JSON.stringify(was)).toBe(before);
  expect(now.paths[0]).toBe(was.paths[0]);
});

test('elements are added at the end in the order of their numbers', () => {
  const change = Object.fromEntries([...Array(12).keys()].map((i) => [String(i + 1), [i + 1]])) as Record<string, [unknown]>;
  expect(applied([0], change)).toEqual([...Array(13).keys()]);
});

test('nothing changed', () => {
  expect(applied({ a: [1] }, {})).toEqual({ a: [1] });
  expect(applied({ a: [1] }, [null])).toBe(null);
});
