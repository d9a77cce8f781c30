/** REST: the lobby, rules and records. */

import type { Report, Words } from '../generated/lab';
import type { Faulty, Games, LabInfo, Me, Replay, RuleBook } from '../generated/rest';
import type { ClockRule, Table, Tables } from '../generated/messages';
import { words } from '../lang/en';
import { root } from './root';

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
    answer = await fetch(root + path, { ...init, headers });
  } catch {
    throw new Trouble(words.trouble.noServer);
  }
  if (answer.ok) return (as === 'json' ? await answer.json() : await answer.text()) as T;
  const body = (await answer.json().catch(() => null)) as Faulty | null;
  throw new Trouble(body?.error.text ?? words.trouble.unknown, answer.status, body?.error.rule ?? '');
}

const post = (body: unknown, method = 'POST'): RequestInit => ({ method, body: JSON.stringify(body) });

export interface SeatRequest {
  who: 'me' | 'bot' | 'open';
  level?: number;
  name?: string;
}
export interface CreateTable {
  game: string;
  seats: SeatRequest[];
  options?: Record<string, number | string>;
  private?: boolean;
  clock?: Partial<ClockRule> | null;
  hints?: boolean;
  stand_in?: boolean;
  continues?: { record: string; at: number };
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
export const rules = (game: string, version?: number) => ask<RuleBook>(`/api/games/${game}/rules${version ? `?version=${version}` : ''}`);
export const openTables = () => ask<Tables>('/api/tables');
export const myTables = async (state: 'running' | 'over', page = 0) => (await me(), ask<Tables>(`/api/tables/mine?state=${state}&page=${page}`));
export const create = async (table: CreateTable) => (await me(), ask<Table>('/api/tables', post(table)));
export const table = async (id: string, invite: string) =>
  (await me(), ask<Table>(`/api/tables/${id}`, { headers: { 'X-Clew-Invite': invite } }));
export const join = (id: string, invite: string, seat?: number) =>
  ask<Table>(`/api/tables/${id}/join`, post({ invite, ...(seat === undefined ? {} : { seat }) }));
export const addBot = (id: string, seat: number, level: number) => ask<Table>(`/api/tables/${id}/bots`, post({ seat, level }));
export const leave = (id: string) => ask<Table>(`/api/tables/${id}/leave`, post({}));
export const record = (id: string, invite: string) =>
  ask<string>(`/api/tables/${id}/record`, { headers: { 'X-Clew-Invite': invite } }, 'text');
/** A record step by step, from what a chair knew; told to the seat `you`, if one of the players looks. */
export const replay = (text: string, chair: number | 'all' | null, you: number | null = null) =>
  ask<Replay>('/api/replay', post({ record: text, chair, you }));

export interface Opinion {
  number: number;
  seat: number;
  move: string;
  win: number | null;
  best: string;
  /** Both moves for people. */
  said: string;
  best_said: string;
  loss: number | null;
}
/** How the game stood after a move, as one seat could know it. */
export interface Standing {
  number: number;
  chances: number[];
  /** In how many worlds that was tried; none at the end, which is known. */
  worlds: number;
}
/** Ask for something that comes line by line, and hear each line as it is found. */
async function listen<T>(path: string, body: unknown, found: (line: T) => void, signal: AbortSignal): Promise<void> {
  const headers = { 'X-Clew': '1', 'Content-Type': 'application/json' };
  try {
    const answer = await fetch(root + path, { ...post(body), headers, signal });
    if (!answer.ok || !answer.body) {
      const said = (await answer.json().catch(() => null)) as Faulty | null;
      throw new Trouble(said?.error.text ?? words.trouble.unknown, answer.status);
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line) found(JSON.parse(line) as T);
    }
  } catch (error) {
    throw error instanceof Trouble || signal.aborted ? error : new Trouble(words.trouble.noServer);
  }
}
/** A bot's opinion of every move. */
export const review = (record: string, found: (opinion: Opinion) => void, signal: AbortSignal) => listen('/api/review', { record }, found, signal);
/** The chances after every move, as a seat could know them. */
export const forecast = (record: string, seat: number, found: (standing: Standing) => void, signal: AbortSignal) =>
  listen('/api/forecast', { record, seat }, found, signal);

/** What the lab is to play and measure. */
export interface LabWish {
  game: string;
  players: number | null;
  options: Record<string, number | string>;
  levels: string[];
  games: number;
  seed: number;
  vary: { option: string; values: (number | string)[] } | null;
}
/** How far the lab is, what it knows so far, or what is wrong. */
export type LabLine = { level: string; done: number; total: number } | { report: Report; words: Words; final: boolean } | { error: string };
export const lab = () => ask<LabInfo>('/api/lab');
export const measure = async (wish: LabWish, found: (line: LabLine) => void, signal: AbortSignal) => (await me(), listen('/api/lab', wish, found, signal));
export const labRecord = ({ game, players, seed }: LabWish, options: LabWish['options'], level: string, number: number) =>
  ask<string>('/api/lab/record', post({ game, players, options, seed, level, number }), 'text');
