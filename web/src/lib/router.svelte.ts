/** Where we are: the path decides what is shown; links inside the page stay inside it. */

let path = $state(location.pathname);
let hash = $state(location.hash.slice(1));

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
};

export function go(to: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  path = location.pathname;
  hash = location.hash.slice(1);
  scrollTo(0, 0);
}

addEventListener('popstate', () => {
  path = location.pathname;
  hash = location.hash.slice(1);
});
addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  if (link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
