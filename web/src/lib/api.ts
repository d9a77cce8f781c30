/** REST: the lobby, rules and records. */

import type { Faulty, Games, Me, Replay, RuleBook, Tables } from '../generated/rest';
import type { ClockRule, Table } from '../generated/messages';
import { words } from '../lang/en';

/** What went wrong, in a sentence that can be shown. */
export class Trouble extends Error {
  constructor(
    text: string,
    readonly status = 0,
    readonly rule = '',
  ) {
    super(text);
  }
}

async function ask<T>(path: string, init: RequestInit = {}, as: 'json' | 'text' = 'json'): Promise<T> {
  let answer: Response;
  const headers: Record<string, string> = { 'X-Clew': '1', ...(init.headers as Record<string, string>) };
  if (init.body) headers['Content-Type'] = 'application/json';
  try {
    answer = await fetch(path, { ...init, headers });
  } catch {
    throw new Trouble(words.trouble.noServer);
  }
  if (answer.ok) return (as === 'json' ? await answer.json() : await answer.text()) as T;
  const body = (await answer.json().catch(() => null)) as Faulty | null;
  throw new Trouble(body?.error.text ?? words.trouble.unknown, answer.status, body?.error.rule ?? '');
}

const post = (body: unknown, method = 'POST'): RequestInit => ({ method, body: JSON.stringify(body) });

export interface SeatWish {
  who: 'me' | 'bot' | 'open';
  level?: number;
  name?: string;
}
export interface TableWish {
  game: string;
  seats: SeatWish[];
  options?: Record<string, number | string>;
  private?: boolean;
  clock?: Partial<ClockRule> | null;
}

let known: Promise<Me> | null = null;
/** Who this is; the first question gives an identity to who has none. */
export const me = () => (known ??= ask<Me>('/api/me'));
export async function rename(name: string): Promise<Me> {
  known = ask<Me>('/api/me', post({ name }, 'PUT'));
  return known;
}
let all: Promise<Games> | null = null;
export const games = () => (all ??= ask<Games>('/api/games').catch((error) => ((all = null), Promise.reject(error))));
export const rules = (game: string) => ask<RuleBook>(`/api/games/${game}/rules`);
export const openTables = () => ask<Tables>('/api/tables');
export const myTables = async () => (await me(), ask<Tables>('/api/tables/mine'));
export const create = async (wish: TableWish) => (await me(), ask<Table>('/api/tables', post(wish)));
export const table = async (id: string, invite: string) =>
  (await me(), ask<Table>(`/api/tables/${id}`, { headers: { 'X-Clew-Invite': invite } }));
export const join = (id: string, invite: string, seat?: number) =>
  ask<Table>(`/api/tables/${id}/join`, post({ invite, ...(seat === undefined ? {} : { seat }) }));
export const record = (id: string, invite: string) =>
  ask<string>(`/api/tables/${id}/record`, { headers: { 'X-Clew-Invite': invite } }, 'text');
export const replay = (text: string, chair: number | 'all' | null) =>
  ask<Replay>('/api/replay', post({ record: text, chair }));

export interface Opinion {
  number: number;
  seat: number;
  move: string;
  win: number | null;
  best: string;
  loss: number | null;
}
/** A bot's opinion of every move, told as it is found. */
export async function review(text: string, found: (opinion: Opinion) => void, signal: AbortSignal): Promise<void> {
  const answer = await fetch('/api/review', {
    ...post({ record: text }),
    headers: { 'X-Clew': '1', 'Content-Type': 'application/json' },
    signal,
  });
  if (!answer.ok || !answer.body) throw new Trouble(words.trouble.unknown, answer.status);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line) found(JSON.parse(line) as Opinion);
  }
}
