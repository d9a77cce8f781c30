import type { CardtracksTable } from '../../generated/cardtracks';
import { dealt, type ViewOf } from '../../lib/board';

/** The board with the cards turned up that lie face down at the centres, and the spares. */
export function opened(view: ViewOf<CardtracksTable>, deal: Record<string, string>): ViewOf<CardtracksTable> {
  const { table } = view;
  const tracks = table.tracks.map((track, i) => ({
    ...track,
    lanes: track.lanes.map((lane, seat) => ({ ...lane, centre: lane.centre ?? dealt(deal, `centre ${seat}`)[i] ?? null })),
  }));
  const seats = table.seats.map((player, seat) => ({ ...player, spare: player.spare ?? dealt(deal, `spare ${seat}`)[0] ?? null }));
  return { ...view, table: { ...table, tracks, seats } };
}
