/** Where we are: the path decides what is shown; links inside the page stay inside it. */

import { below, root } from './root';

let path = $state(here());
let hash = $state(location.hash.slice(1));
let layer = $state<string | null>(layerOf(history.state));

function here(): string {
  return below(location.pathname) ?? '/';
}

/** What lies over a page, such as a drawer, is an entry of the history: Back closes it before it leaves the page. */
function layerOf(entry: unknown): string | null {
  return (entry as { layer?: string } | null)?.layer ?? null;
}

export const route = {
  get path() {
    return path;
  },
  get parts() {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  },
  get hash() {
    return hash;
  },
  get layer() {
    return layer;
  },
};

/** Open what lies over the page, or close it with null. */
export function lay(over: string | null): void {
  if (over === layer) return;
  if (over === null) return history.back();
  history[layer === null ? 'pushState' : 'replaceState']({ layer: over }, '');
  layer = over;
}

/** Go to a path of the page's own, without the prefix. */
export function go(to: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', root + to);
  path = here();
  hash = location.hash.slice(1);
  layer = null;
  scrollTo(0, 0);
}

addEventListener('popstate', () => {
  path = here();
  hash = location.hash.slice(1);
  layer = layerOf(history.state);
});
addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  const inside = below(link.pathname);
  if (inside === null || inside.startsWith('/api/')) return;
  event.preventDefault();
  go(inside + link.search + link.hash);
});
