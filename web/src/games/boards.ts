/** The boards there are, each loaded when it is wanted. A game without one gets the generic table. */

import type { Component } from 'svelte';

const boards = import.meta.glob<{ default: Component<any> }>('./*/Board.svelte');

export async function boardOf(game: string): Promise<Component<any>> {
  const load = boards[`./${game}/Board.svelte`] ?? boards['./generic/Board.svelte'];
  return (await load()).default;
}
