import type { PalacesTable } from '../../generated/palaces';
import { words } from '../../lang/en';
import type { ViewOf } from '../../lib/board';
import type { ScoreLine } from '../boards';

export function breakdown({ table }: ViewOf<PalacesTable>): ScoreLine[] {
  const say = words.palaces;
  const kinds = [['steps', say.steps], ['statues', say.statues], ['treasures', say.treasures], ['frescoes', say.frescoes]] as const;
  return kinds.map(([kind, label]) => ({ label, values: table.seats.map((seat) => seat.points[kind]) }));
}
