import type { PalacesTable, Site } from '../../generated/palaces';
import { dealt, type ViewOf } from '../../lib/board';

/** What a line of the deal says is buried at a site. */
export const kindOf = (text: string) => (text === 'S' ? 'statue' : text === 'R' ? 'rare' : text.replace('F', 'fresco')) as Site['find'];

/** The board with what is still buried; such a site says so. */
export function opened(view: ViewOf<PalacesTable>, deal: Record<string, string>): ViewOf<PalacesTable> {
  const paths = view.table.paths.map((path) => ({
    ...path,
    sites: path.sites.map((site, i) =>
      site.find === null ? { ...site, find: kindOf(dealt(deal, `finds ${path.letter}`)[i] ?? ''), buried: true } : site,
    ),
  }));
  return { ...view, table: { ...view.table, paths } };
}
