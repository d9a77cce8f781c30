import { expect, it } from 'vitest';
import type { Seat } from '../generated/messages';
import { outcomeOf } from './outcome';

const seats = (...names: string[]) => names.map((name, i) => ({ colour: 'Blue', kind: 'person', name, yours: i === 0 }) as Seat);

it('tells who won, from the side of who looks', () => {
  expect(outcomeOf({ seats: seats('Ann', 'Cat'), result: { places: [1, 2], ended: 'steps' } })).toBe('You won');
  expect(outcomeOf({ seats: seats('Ann', 'Cat'), result: { places: [2, 1], ended: 'steps' } })).toBe('Cat won');
  expect(outcomeOf({ seats: seats('Ann', 'Cat'), result: { places: [2, 1], ended: 'resigned' } })).toBe('Cat won (given up)');
  expect(outcomeOf({ seats: seats('Ann', 'Cat'), result: { places: [1, 1], ended: 'steps' } })).toBe('You share the win');
  expect(outcomeOf({ seats: seats('Ann', 'Cat', 'Bob'), result: { places: [3, 1, 2], ended: 'steps' } })).toBe('You came 3rd of 3');
  expect(outcomeOf({ seats: seats('Ann', 'Cat'), result: { places: [1, 1], ended: 'abandoned' } })).toBe('abandoned');
  expect(outcomeOf({ seats: seats('Ann', 'Bob'), result: { places: [2, 1], ended: 'steps' }, one_device: true })).toBe('Bob won');
  expect(outcomeOf({ seats: seats('Ann', 'Cat'), result: { places: [2, 1], scores: [-1, 12], ended: 'steps' } })).toBe('Cat won, 12\u00a0: −1');
});
