/** Where something was tried: a point of the window, and what lay there, since a window that is turned or made smaller
 * has it elsewhere. */
export interface Place {
  x: number;
  y: number;
  /** The size of the window then. */
  size: string;
  on: Element | null;
  /** How far across and down on it, from 0 to 1. */
  across: number;
  down: number;
}

const sizeNow = () => `${innerWidth} ${innerHeight}`;

export function placeAt(x: number, y: number): Place {
  const on = document.elementFromPoint(x, y)?.closest('button, [data-drop]') ?? null;
  const box = on?.getBoundingClientRect();
  const share = (at: number, from: number, long: number) => (long ? (at - from) / long : 0.5);
  return { x, y, size: sizeNow(), on, across: box ? share(x, box.left, box.width) : 0, down: box ? share(y, box.top, box.height) : 0 };
}

/** The same place in the window as it is now. */
export function whereNow({ x, y, size, on, across, down }: Place): { x: number; y: number } {
  const box = size !== sizeNow() && on?.isConnected ? on.getBoundingClientRect() : null;
  return box?.width ? { x: box.left + across * box.width, y: box.top + down * box.height } : { x, y };
}
