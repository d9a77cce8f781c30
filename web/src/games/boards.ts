/** The boards there are, each loaded when it is wanted. A game without one gets the generic table. */

import type { Component } from 'svelte';
import type { ViewOf } from '../lib/board';

/** A line of the score: what it is for, and what each seat has of it. */
export interface ScoreLine {
  label: string;
  values: (number | string)[];
  /** The sum of the other lines. */
  total?: boolean;
}

const boards = import.meta.glob<{ default: Component<any> }>('./*/Board.svelte');
const opens = import.meta.glob<{ default: Component<any> }>('./*/Open.svelte');
const opened = import.meta.glob<{ opened: (view: ViewOf<any>, deal: Record<string, string>) => ViewOf<any> }>('./*/open.ts');
const pictures = import.meta.glob<{ default: Component }>('./*/Pictures.svelte');
const scores = import.meta.glob<{ breakdown: (view: ViewOf<any>) => ScoreLine[] }>('./*/score.ts');

/** Whether the address asks for the generic table: `?board=plain` shows any game as it is, to those who make one. */
const plain = () => new URLSearchParams(location.search).get('board') === 'plain';

export async function boardOf(game: string): Promise<Component<any>> {
  const load = (plain() ? null : boards[`./${game}/Board.svelte`]) ?? boards['./generic/Board.svelte'];
  return (await load()).default;
}

/** Whether a game is played on a board of its own, where nobody writes a move. */
export const hasBoard = (game: string) => !plain() && `./${game}/Board.svelte` in boards;

/** What shows the hidden things of a game in a replay. */
export async function openOf(game: string): Promise<Component<any>> {
  const load = (plain() ? null : opens[`./${game}/Open.svelte`]) ?? opens['./generic/Open.svelte'];
  return (await load()).default;
}

/** What turns up what lies face down on the board itself; a board where nothing does is shown as it is. */
export async function openedOf(game: string): Promise<(view: ViewOf<any>, deal: Record<string, string>) => ViewOf<any>> {
  const load = plain() ? null : opened[`./${game}/open.ts`];
  return load ? (await load()).opened : (view) => view;
}

/** Rules in pictures; null for a game that has none. */
export async function picturesOf(game: string): Promise<Component | null> {
  const load = pictures[`./${game}/Pictures.svelte`];
  return load ? (await load()).default : null;
}

/** Where the points come from; nothing for a game that does not say it. */
export async function breakdownOf(view: ViewOf<any>): Promise<ScoreLine[]> {
  const load = scores[`./${view.game}/score.ts`];
  return load ? (await load()).breakdown(view) : [];
}
