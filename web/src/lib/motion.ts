/** Things move from where they were to where they are, and not at all for those who asked for calm. */

import type { TransitionConfig } from 'svelte/transition';

const origins = new Map<string, { rect: DOMRect; at: number }>();
const FRESH = 4000; // ms that a remembered place counts

export function reduced(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Remember where a thing is now, for its arrival elsewhere. */
export function leave(key: string, node: Element | null | undefined): void {
  if (node) origins.set(key, { rect: node.getBoundingClientRect(), at: performance.now() });
}

export interface Arrival {
  /** The name under which `leave` remembered a place. */
  key?: string;
  /** A selector of the element from which it comes otherwise. */
  from?: string;
  delay?: number;
  duration?: number;
  turn?: boolean;
}

/** A transition for something that arrives: it flies in from where it was. */
export function arrive(node: Element, { key, from, delay = 0, duration = 230, turn }: Arrival): TransitionConfig {
  if (reduced()) return { duration: 0 };
  const known = key ? origins.get(key) : undefined;
  if (key) origins.delete(key);
  const start =
    known && performance.now() - known.at < FRESH
      ? known.rect
      : from
        ? document.querySelector(from)?.getBoundingClientRect()
        : undefined;
  if (!start || !start.width) return { duration: 150, delay, css: (t) => `opacity: ${t}` };
  const end = node.getBoundingClientRect();
  // On a cloth that is zoomed a pixel of ours is more or less than one of the screen's.
  const zoom = node instanceof HTMLElement && node.offsetWidth ? end.width / node.offsetWidth : 1;
  const dx = (start.left + start.width / 2 - end.left - end.width / 2) / zoom;
  const dy = (start.top + start.height / 2 - end.top - end.height / 2) / zoom;
  const scale = end.width ? start.width / end.width : 1;
  const flip = turn ? (u: number) => ` rotateY(${u * 180}deg)` : () => '';
  return {
    duration,
    delay,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) =>
      `transform: translate(${u * dx}px, ${u * dy}px) scale(${t + u * scale})${flip(u)}; z-index: 5`,
  };
}

/** Before a board changes, remember where each thing with a `data-key` lies. */
export function leaveAll(board: Element | undefined): void {
  board?.querySelectorAll<HTMLElement>('[data-key]').forEach((node) => leave(node.dataset.key!, node));
}
