import type { LabyrinthTable } from '../../generated/labyrinth';
import { words } from '../../lang/en';
import type { ViewOf } from '../../lib/board';
import type { ScoreLine } from '../boards';

export function breakdown({ table }: ViewOf<LabyrinthTable>): ScoreLine[] {
  return [{ label: words.labyrinth.cardsTaken, values: table.seats.map((seat) => seat.score) }];
}
