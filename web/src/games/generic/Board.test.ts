import { flushSync, mount, unmount } from 'svelte';
import { fromStore, writable, type Writable } from 'svelte/store';
import { afterEach, expect, it, vi } from 'vitest';
import type { MoveWords } from '../../generated/messages';
import { boardOf } from '../boards';
import Board from './Board.svelte';

// jsdom lays nothing out.
vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });

let shown: Record<string, unknown> | undefined;
afterEach(() => {
  if (shown) void unmount(shown);
  document.body.innerHTML = '';
});

function show(legal: string[], said?: MoveWords[], hint: Writable<string | null> = writable(null), more: Record<string, unknown> = {}, seatFields = {}) {
  const play = vi.fn();
  const table = { ...more, turns: 3, jars: [{ name: 'left', pebbles: 4 }, { name: 'right', pebbles: 0 }], hand: ['a', 'b'], over: false, last: null };
  const hinted = fromStore(hint);
  const view = { game: 'jars', rules: 1, options: {}, players: 2, seat: 0, to_move: [0], outcome: null, table };
  shown = mount(Board, { target: document.body, props: { view, seat: 0, legal, said, names: ['Blue', 'Red'], seatFields, play, get hint() { return hinted.current; } } });
  flushSync();
  return play;
}

it('shows a game that it has never heard of: terms, tables of records, lists', () => {
  show(['take 1']);
  expect(document.querySelectorAll('tbody tr')).toHaveLength(2);
  expect([...document.querySelectorAll('th')].map((th) => th.textContent)).toEqual(['name', 'pebbles']);
  expect(document.body.textContent).toContain('turns');
});
it('plays what is tapped', () => {
  const play = show(['take 1', 'take 2']);
  [...document.querySelectorAll<HTMLButtonElement>('.list button')].find((b) => b.textContent === 'take 2')!.click();
  expect(play).toHaveBeenCalledWith('take 2');
});
it('finds a move among many, and plays what is written', () => {
  const play = show(Array.from({ length: 200 }, (_, i) => `m${i}`));
  expect(document.querySelectorAll('.list button')).toHaveLength(60);
  const input = document.querySelector('input')!;
  input.value = 'm177';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
  document.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  expect(play).toHaveBeenCalledWith('m177');
});
it('is what a game without a board gets', async () => {
  expect(await boardOf('a game of somebody else')).toBe(Board);
});

const button = (name: string) => [...document.querySelectorAll<HTMLButtonElement>('button')].find((one) => one.textContent === name)!;
const listed = () => [...document.querySelectorAll('.list button')].map((one) => one.textContent);
function tap(name: string) {
  button(name).click();
  flushSync();
}
it('selects with a card the moves that it is in, in words', () => {
  const play = show(['a', '-a', 'pass'], [{ text: 'play an a', pieces: ['a'] }, { text: 'discard an a', pieces: ['a'] }, { text: 'pass' }]);
  expect(listed()).toEqual(['play an a', 'discard an a', 'pass']);
  expect(button('b').disabled).toBe(true);
  expect(document.querySelector('input')).toBeNull();
  tap('a');
  expect(button('a').getAttribute('aria-pressed')).toBe('true');
  expect(listed()).toEqual(['play an a', 'discard an a']);
  tap('discard an a');
  expect(play).toHaveBeenCalledWith('-a');
});
it('lets a card go when it is tapped again, or by Escape', () => {
  show(['a', 'pass'], [{ text: 'play an a', pieces: ['a'] }, { text: 'pass' }]);
  tap('a');
  tap('a');
  expect(listed()).toHaveLength(2);
  tap('a');
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  flushSync();
  expect(listed()).toHaveLength(2);
});
const write = (text: string) => {
  const input = document.querySelector('input')!;
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
};
it('says that no move fits what was written, and clears it', () => {
  show(['play:a', '-a', 'b7']);
  write('?c1c1 ');
  expect(document.querySelector('.moves')!.textContent).toContain("No move fits '?c1c1'.");
  tap('Clear');
  expect(listed()).toEqual(['play:a', '-a', 'b7']);
  expect(document.querySelector('input')!.value).toBe('');
  expect(document.querySelector('.moves')!.textContent).not.toContain('No move fits');
});
it('forgets what was written when a card is tapped', () => {
  show(['play:a', '-a', 'b7']);
  write('?c1c1');
  tap('a');
  expect(listed()).toEqual(['play:a', '-a']);
  expect(document.querySelector('input')!.value).toBe('');
});
it('forgets what was written when a hint comes', () => {
  const hint = writable<string | null>(null);
  show(['play:a', '-a', 'b7'], undefined, hint);
  write('-a');
  expect(listed()).toEqual(['-a']);
  hint.set('b7');
  flushSync();
  expect(document.querySelector('.hinted.button')!.textContent).toBe('b7');
});
const facts = () => [...document.querySelectorAll('.facts > div')].map((one) => one.textContent);
const headings = () => [...document.querySelectorAll('.part h2')].map((one) => one.textContent);
it('calls the number of a seat by the name of who sits there', () => {
  const more = { leader: 1, holder: 0, seats: [{ rival: 2 }, { rival: 0 }], won_by: [1, 2, 0] };
  show([], [], undefined, more, { leader: 0, holder: 1, rival: 1, won_by: 1 });
  expect(facts()).toContain('leaderRed');
  expect(facts()).toContain('holder–');
  expect([...document.querySelectorAll('.seat .item')].map((one) => one.textContent)).toEqual(['rival\u00a0Red', 'rival\u00a0–']);
  expect([...document.querySelectorAll('.rest .item')].map((one) => one.textContent)).toEqual(expect.arrayContaining(['Blue', 'Red', '–']));
});
it('leaves out what only keeps the books, as far as it is declared', () => {
  show([], [], undefined, { turn: 0, ended: 0 }, { turn: 0 });
  expect(facts()).toEqual(['turns3', 'overno', 'last–']);
});
it('shows what is called a turn but is none, and that something has ended', () => {
  show([], [], undefined, { turn: 1, ended: 2 }, { turn: 0 });
  expect(facts()).toEqual(expect.arrayContaining(['turnRed', 'ended2']));
});
it('shows once what a seat sees of its own', () => {
  show(['a'], [], undefined, { die: [4], seats: [{ hand: ['a', 'b'], die: [4] }, { hand: ['?', '?'], die: ['?'] }] });
  expect(headings()).toEqual(['Your hand', 'Blueyou', 'Red', 'jars']);
  expect([...document.querySelectorAll('.seat')].map((one) => one.textContent)).toEqual([expect.not.stringContaining('hand'), expect.stringContaining('hand')]);
  expect(document.querySelector('.seat')!.textContent).toContain('die');
});
it('finds cards in written moves where nobody says them', () => {
  show(['play:a', '-a', 'b7']);
  expect(button('a').disabled).toBe(false);
  expect(button('b').disabled).toBe(true);
});
