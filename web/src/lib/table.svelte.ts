/** A chair at a table: what the server tells it, and what it says to the server. It comes back by itself. */

import { PROTOCOL, type Clocks, type Entry, type FromClient, type Hinted, type Judged, type MoveWords, type Position, type Table, type ToClient, type Told, type Welcome, type Event as Happened } from '../generated/messages';
import type { Verdict, ViewOf } from './board';
import { applied, type Change } from './changes';
import { reduced } from './motion';
import { root } from './root';

type Said = Exclude<FromClient, { type: 'hello' }>;
type Command = Said extends infer S ? (S extends Said ? Omit<S, 'id'> : never) : never;
/** Why something may not be done. */
export interface Refusal {
  reason: string;
  rule: string;
}
export type Connection = 'connecting' | 'open' | 'lost' | 'closed';

const PACE = 550; // ms between two moves of others, so that each can be seen
const MANY = 6; // things that wait to be shown, more than five others do in a round: then it is time to catch up
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const SILENCE = 3000; // ms without a message until the server is asked whether it is there
const ANSWER = 4500; // ms for its answer: then the connection counts as lost
const CONNECTING = 7500; // ms for a new connection
const LOOK = 500; // ms between two looks at the connection
const FINAL = new Set([1009, 4400, 4401, 4403, 4404, 4409, 4413]);

export class Chair {
  table = $state.raw<Table | null>(null);
  view = $state.raw<ViewOf<unknown> | null>(null);
  moves = $state.raw<string[]>([]);
  words = $state.raw<MoveWords[]>([]); // the same moves in words, where the page has no board for the game
  seatFields = $state.raw<Record<string, number>>({}); // what in the view are numbers of seats, likewise
  clocks = $state.raw<Clocks | null>(null);
  clocksAt = $state(0);
  seat = $state<number | null>(null);
  log = $state.raw<Entry[]>([]);
  told = $state.raw<Told[]>([]);
  news = $state(''); // what happened last, in words
  trouble = $state(''); // why a bot that is to move cannot
  connection = $state<Connection>('connecting');
  closed = $state(0);
  refusal = $state.raw<Refusal | null>(null);
  hint = $state.raw<Hinted | null>(null);
  waiting = $state(false); // a move of ours is under way
  canUndo = $state(false);
  again = $state(false); // this page has said that it wants another game
  hinting = $state(false);
  watching = $state(0);
  preparing = $state.raw<{ done: number; total: number } | null>(null); // while the game is being compiled

  private socket: WebSocket | null = null;
  private heard = 0; // when something came last
  private pinged = 0; // when the server was asked whether it is there; 0 if it has answered
  private begun = 0; // when this connection was begun
  private watch = 0;
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
    this.watch = window.setInterval(() => this.look(), LOOK);
    addEventListener('online', this.lookNow);
    document.addEventListener('visibilitychange', this.lookNow);
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
    this.words = [];
    this.hint = null;
    this.refusal = null;
    this.canUndo = false;
    this.queue = [];
  }

  /** Say why a move is not legal; nothing is played. */
  async why(move: string): Promise<void> {
    const verdict = await this.judge([move]);
    if (!verdict.playable) this.refuse(verdict.reason ?? '', verdict.rule);
  }
  refuse(reason: string, rule = ''): void {
    this.refusal = reason ? { reason, rule } : null;
  }
  /** Another game: asked for, or agreed to. Whoever wants it is taken there. */
  playAgain(): void {
    this.again = true;
    this.refusal = null;
    this.say({ type: 'rematch' });
  }
  answer(ask: { number: number; what: string }, yes: boolean): void {
    if (ask.what === 'rematch') this.again = yes;
    this.say({ type: 'answer', ask: ask.number, yes });
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
    this.refusal = null;
    this.hinting = true;
    this.say({ type: 'hint' });
  }
  say(command: Command): void {
    this.ask({ ...command, id: newId() } as Said);
  }
  leave(): void {
    this.gone = true;
    clearInterval(this.watch);
    removeEventListener('online', this.lookNow);
    document.removeEventListener('visibilitychange', this.lookNow);
    clearTimeout(this.timer);
    clearTimeout(this.pacing);
    this.socket?.close();
  }

  private connect(): void {
    if (this.gone) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${root}/api/tables/${this.id}/play`);
    this.socket = socket;
    this.greeted = false;
    this.pinged = 0;
    this.begun = this.heard = performance.now();
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      this.hello();
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return; // of a connection that was given up
      this.heard = performance.now();
      this.pinged = 0;
      this.hear(JSON.parse(event.data as string) as ToClient);
    };
    socket.onclose = (event) => {
      if (this.gone || socket !== this.socket) return;
      if (FINAL.has(event.code)) {
        this.socket = null;
        this.greeted = false;
        this.connection = 'closed';
        this.closed = event.code;
        return;
      }
      this.lose();
    };
  }
  /** The connection is lost: give it up and come back on another. */
  private lose(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.greeted = false;
    this.connection = 'lost';
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts++) * (0.6 + 0.8 * Math.random());
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connect(), wait);
  }
  /** Is anybody there? A connection on which nothing comes says so only if it is asked. */
  private look(): void {
    const { socket } = this;
    const now = performance.now();
    if (!socket || socket.readyState > WebSocket.OPEN) return;
    if (socket.readyState === WebSocket.CONNECTING) {
      if (now - this.begun > CONNECTING) this.lose();
    } else if (this.pinged) {
      if (now - this.pinged > ANSWER) this.lose();
    } else if (now - this.heard > SILENCE) {
      this.ping();
    }
  }
  private ping(): void {
    this.pinged = performance.now();
    this.socket!.send(JSON.stringify({ type: 'ping', id: newId() } satisfies FromClient));
  }
  /** The device wakes up, or its network is back: do not wait for the next look. */
  private lookNow = (): void => {
    if (document.hidden) return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      if (!this.pinged) this.ping();
    } else if (!this.socket && this.connection === 'lost') {
      clearTimeout(this.timer);
      this.connect();
    }
  };
  private hello(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.greeted = false;
    const { last, invite } = this;
    this.socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL, chair: this.seat, last, invite, changes: true } satisfies FromClient));
  }
  /** Send it until it is answered: also again, when the connection was lost. */
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
      case 'ack': // it is on disk; what came of it follows in the entry
        if (message.number <= this.last) this.done(message.id);
        return;
      case 'refused':
        this.done(message.id);
        this.refuse(message.reason, message.rule);
        return;
      case 'error':
        if (message.id) this.done(message.id);
        if (message.code === 'bot') this.trouble = message.text;
        else this.refuse(message.text);
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
      case 'preparing':
        this.preparing = message.done < message.total ? message : null;
        return;
      case 'bye':
        this.attempts = 0;
        return;
    }
  }
  private welcome(message: Welcome): void {
    this.connection = 'open';
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
    if (happened.now?.changes && !this.view) return this.hello(); // of a chair that is not looked from any more
    if (entry.kind === 'rules_changed') {
      // Moves may be gone from the log: it is told anew, from its beginning.
      [this.last, this.queue, this.hint] = [0, [], null];
      return this.hello();
    }
    this.last = entry.number;
    this.log = entry.kind === 'undone' ? this.undone(entry) : [...this.log, entry];
    if (happened.table) this.table = happened.table;
    if (entry.kind === 'move') {
      this.shownAt = performance.now();
      requestAnimationFrame(() => (this.shownAt = performance.now())); // it is seen when it is painted
    }
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
    // What somebody is trying out stays, when the connection comes back and nothing has happened.
    const view = (now.changes ? applied(this.view, now.changes as Change) : (now.view ?? null)) as ViewOf<unknown> | null;
    if (JSON.stringify(view) !== JSON.stringify(this.view)) this.view = view;
    this.trouble = '';
    this.moves = now.moves ?? [];
    this.words = now.words ?? [];
    this.seatFields = now.seat_fields ?? {};
    this.canUndo = now.can_undo ?? false;
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
