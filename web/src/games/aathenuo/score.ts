import type { AathenuoTable } from '../../generated/aathenuo';
import { words } from '../../lang/en';
import type { ViewOf } from '../../lib/board';
import type { ScoreLine } from '../boards';

export function breakdown({ table }: ViewOf<AathenuoTable>): ScoreLine[] {
  return [{ label: words.aathenuo.tilesLeft, values: table.seats.map((seat) => seat.tiles) }];
}
