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
