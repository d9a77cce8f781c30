import type { CardtracksTable } from '../../generated/cardtracks';
import { words } from '../../lang/en';
import type { ViewOf } from '../../lib/board';
import { cardName } from '../../lib/cards';
import type { ScoreLine } from '../boards';

export function breakdown({ table }: ViewOf<CardtracksTable>): ScoreLine[] {
  const say = words.cardtracks;
  return table.tracks.map((track) => ({
    label: track.card ? `${say.track(track.number)}: ${cardName(track.card)}` : say.track(track.number),
    values: table.seats.map((_, seat) => (track.winner === seat ? (track.points ?? 0) : '')),
  }));
}
