/** Guided first games: a dealt table, and what is done on it step by step. */

export interface LessonStep {
  /** What the teacher says. */
  say: string;
  /** Whether the first of the moves is the learner's to make; otherwise there is only something to read. */
  play: boolean;
  /** What happens then, as lines of a record: the learner's move, and what others reply. */
  moves: string[];
}
export interface Lesson {
  game: string;
  seat: number;
  /** The head of a record: game, options, players and the deal. */
  record: string[];
  steps: LessonStep[];
}

const files = import.meta.glob<{ default: Lesson }>('./*.json');

export async function lessonOf(game: string): Promise<Lesson | null> {
  const load = files[`./${game}.json`];
  return load ? (await load()).default : null;
}

/** The record of the lesson as it stands before a step. */
export function recordAt(lesson: Lesson, step: number): string {
  const moves = lesson.steps.slice(0, step).flatMap((one) => one.moves);
  return [...lesson.record, 'moves:', ...moves, ''].join('\n');
}

/** The move that a step asks for. */
export function wantedAt(lesson: Lesson, step: number): string[] {
  const { play, moves } = lesson.steps[step] ?? { play: false, moves: [] };
  return play ? [moves[0].slice(moves[0].indexOf(' ') + 1)] : [];
}

/** The piece of the hand that a move plays; none for a move that only names a place. */
const pieceOf = (move: string) => (move.startsWith('>') ? null : move.replace(/^-/, '').split(/[:@ ]/)[0].replace(/r\d$/, ''));

/** What a board shows as legal: of the piece that is wanted only the move that is wanted, and of the others what the
    rules allow, so that none of them looks useless that is only not wanted just now. */
export function offered(lesson: Lesson, step: number, legal: string[]): string[] {
  const [wanted] = wantedAt(lesson, step);
  if (!wanted) return [];
  const piece = pieceOf(wanted);
  return piece === null ? [wanted] : [wanted, ...legal.filter((move) => pieceOf(move) !== piece)];
}
