/** A chair at a table: what the server tells it, and what it says to the server. It comes back by itself. */

import { PROTOCOL, type Clocks, type Entry, type FromClient, type Hinted, type Judged, type Position, type Table, type ToClient, type Told, type Welcome, type Event as Happened } from '../generated/messages';
import type { Verdict, ViewOf } from './board';
import { reduced } from './motion';

type Said = Exclude<FromClient, { type: 'hello' }>;
type Wish = Said extends infer S ? (S extends Said ? Omit<S, 'id'> : never) : never;
export type Line = 'connecting' | 'open' | 'lost' | 'closed';

const PACE = 550; // ms between two moves of others, so that each can be seen
const MANY = 4; // things that wait to be shown: then it is time to catch up
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const FINAL = new Set([4401, 4403, 4404, 4400]);

export class Chair {
  table = $state.raw<Table | null>(null);
  view = $state.raw<ViewOf<unknown> | null>(null);
  moves = $state.raw<string[]>([]);
  clocks = $state.raw<Clocks | null>(null);
  clocksAt = $state(0);
  seat = $state<number | null>(null);
  log = $state.raw<Entry[]>([]);
  told = $state.raw<Told[]>([]);
  news = $state(''); // what happened last, in words
  line = $state<Line>('connecting');
  closed = $state(0);
  refusal = $state.raw<{ reason: string; rule: string } | null>(null);
  hint = $state.raw<Hinted | null>(null);
  waiting = $state(false); // a move of ours is under way
  hinting = $state(false);
  watching = $state(0);

  private socket: WebSocket | null = null;
  private last = 0;
  private attempts = 0;
  private timer = 0;
  private gone = false;
  private greeted = false;
  private pending = new Map<string, Said>();
  private answers = new Map<string, (answer: Judged) => void>();
  private queue: { happened: Happened; at: number }[] = []; // what waits to be shown, and when it came
  private shownAt = 0;
  private pacing = 0;

  constructor(
    readonly id: string,
    readonly invite: string,
    seat: number | null,
  ) {
    this.seat = seat;
    this.connect();
  }

  /** Sit on another of one's own chairs, or watch: from now on only that chair's messages come. */
  sit(seat: number | null): void {
    this.seat = seat;
    this.forget();
    this.hello();
  }
  private forget(): void {
    this.last = 0;
    this.log = [];
    this.told = [];
    this.news = '';
    this.view = null;
    this.moves = [];
    this.hint = null;
    this.refusal = null;
    this.queue = [];
  }

  play(move: string): void {
    this.refusal = this.hint = null;
    this.waiting = true;
    this.say({ type: 'move', move });
  }
  judge = (parts: string[]): Promise<Verdict> =>
    new Promise((answer) => {
      const id = newId();
      this.answers.set(id, (judged) => answer(judged as Verdict));
      this.ask({ type: 'judge', id, parts });
    });
  askHint(): void {
    this.hinting = true;
    this.say({ type: 'hint' });
  }
  say(wish: Wish): void {
    this.ask({ ...wish, id: newId() } as Said);
  }
  leave(): void {
    this.gone = true;
    clearTimeout(this.timer);
    clearTimeout(this.pacing);
    this.socket?.close();
  }

  private connect(): void {
    if (this.gone) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/tables/${this.id}/play`);
    this.socket = socket;
    this.greeted = false;
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as ToClient);
    socket.onclose = (event) => {
      if (this.gone || socket !== this.socket) return;
      this.greeted = false;
      if (FINAL.has(event.code)) {
        this.line = 'closed';
        this.closed = event.code;
        return;
      }
      this.line = 'lost';
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts++) * (0.6 + 0.8 * Math.random());
      this.timer = window.setTimeout(() => this.connect(), wait);
    };
  }
  private hello(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.greeted = false;
    const { last, invite } = this;
    this.socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL, chair: this.seat, last, invite } satisfies FromClient));
  }
  /** Send it until it is answered: also again, when the line was lost. */
  private ask(message: Said): void {
    this.pending.set(message.id, message);
    this.send(message);
  }
  private send(message: Said): void {
    if (this.greeted && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private hear(message: ToClient): void {
    switch (message.type) {
      case 'welcome':
        return this.welcome(message);
      case 'event':
        this.queue.push({ happened: message, at: performance.now() });
        return this.next();
      case 'ack':
        return this.done(message.id);
      case 'refused':
        this.done(message.id);
        this.refusal = { reason: message.reason, rule: message.rule ?? '' };
        return;
      case 'error':
        if (message.id) this.done(message.id);
        this.refusal = { reason: message.text, rule: '' };
        return;
      case 'judged':
        this.answers.get(message.id)?.(message);
        return this.done(message.id);
      case 'hinted':
        this.done(message.id);
        this.hint = message;
        return;
      case 'presence':
        this.watching = message.watching;
        if (this.table) {
          const here = new Set(message.seats);
          this.table = { ...this.table, seats: this.table.seats.map((s, i) => ({ ...s, here: here.has(i) })) };
        }
        return;
      case 'bye':
        this.attempts = 0;
        return;
    }
  }
  private welcome(message: Welcome): void {
    this.line = 'open';
    this.attempts = 0;
    this.greeted = true;
    if (message.chair !== this.seat) return; // of the chair before; the next one is on its way
    if (message.since === 0) this.log = [];
    this.queue = [];
    this.log = [...this.log, ...message.log];
    this.last = message.number;
    this.table = message.table;
    this.watching = message.here;
    this.show(message.now, performance.now());
    this.told = message.log.at(-1)?.told ?? this.told;
    this.news = message.log.reduce((news, entry) => said(entry) || news, this.news);
    for (const entry of message.log) if (entry.id) this.done(entry.id);
    for (const waiting of this.pending.values()) this.send(waiting);
  }
  /** Show what happened, one thing after the other: the moves of others not faster than one can follow. */
  private next(): void {
    clearTimeout(this.pacing);
    if (!this.queue.length) return;
    const { happened, at } = this.queue[0];
    const { entry } = happened;
    const rush = this.queue.length > MANY || reduced() || entry.kind !== 'move' || entry.seat === this.seat || document.hidden;
    const wait = rush ? 0 : this.shownAt + PACE - performance.now();
    if (wait > 0) {
      this.pacing = window.setTimeout(() => this.next(), wait);
      return;
    }
    this.queue.shift();
    if (entry.number <= this.last) return this.next();
    if (entry.number !== this.last + 1) {
      this.queue = [];
      return this.hello();
    }
    this.last = entry.number;
    this.log = entry.kind === 'undone' ? this.undone(entry) : [...this.log, entry];
    if (happened.table) this.table = happened.table;
    if (entry.kind === 'move') this.shownAt = performance.now();
    if (entry.told?.length) this.told = entry.told;
    this.news = said(entry) || this.news;
    if (happened.now) this.show(happened.now, at);
    if (entry.id) this.done(entry.id);
    if (entry.kind === 'move' || entry.kind === 'undone') this.hint = null;
    this.next();
  }
  private undone(entry: Entry): Entry[] {
    const at = this.log.findLastIndex((one) => one.kind === 'move' && !one.taken_back);
    return [...this.log.map((one, i) => (i === at ? { ...one, taken_back: true, told: [] } : one)), entry];
  }
  private show(now: Position, at: number): void {
    // What somebody is trying out stays, when the line comes back and nothing has happened.
    const view = (now.view ?? null) as ViewOf<unknown> | null;
    if (JSON.stringify(view) !== JSON.stringify(this.view)) this.view = view;
    this.moves = now.moves ?? [];
    this.clocks = now.clocks ?? null;
    this.clocksAt = at;
  }
  private done(id: string): void {
    const said = this.pending.get(id);
    if (said?.type === 'move') this.waiting = false;
    if (said?.type === 'hint') this.hinting = false;
    this.pending.delete(id);
    this.answers.delete(id);
  }
}

/** What an entry tells everybody, in words; chat has a place of its own. */
function said(entry: Entry): string {
  if (entry.kind === 'chat') return '';
  return entry.told?.length ? entry.told.map((told) => told.text).join(' ') : (entry.text ?? '');
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join('');
}
