import type { AriadneTable } from '../../generated/ariadne';
import { words } from '../../lang/en';
import type { ViewOf } from '../../lib/board';
import type { ScoreLine } from '../boards';

export function breakdown({ table }: ViewOf<AriadneTable>): ScoreLine[] {
  const say = words.ariadne;
  return table.seats[0].rounds.flatMap((_, i) => [
    { label: `${say.round(i + 1, table.rounds)}: ${say.threads}`, values: table.seats.map((seat) => seat.rounds[i].threads) },
    { label: `${say.round(i + 1, table.rounds)}: ${say.jokerPoints}`, values: table.seats.map((seat) => seat.rounds[i].joker) },
  ]);
}
