/** Where the server is shown: below a prefix such as /clew, which it writes into the page, or at the root of a site. */

export const root = document.querySelector<HTMLMetaElement>('meta[name="clew-root"]')?.content ?? '';

/** A path of the site as the page knows it; null for one that is not below the prefix. */
export function below(path: string): string | null {
  if (path === root) return '/';
  return path.startsWith(`${root}/`) ? path.slice(root.length) : null;
}
