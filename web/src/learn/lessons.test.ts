import { expect, it } from 'vitest';
import { lessonOf, offered, wantedAt } from './lessons';

it('offers of the wanted card the wanted move alone, and of the others all that the rules allow', async () => {
  const lesson = (await lessonOf('palaces'))!;
  expect(wantedAt(lesson, 0)).toEqual(['K2:a']);
  const legal = ['K2:a', 'K2:t', 'K5:a', 'K5:t', '-K2', '-KA', '-PX', 'M4:a', '-M4'];
  expect(offered(lesson, 0, legal)).toEqual(['K2:a', 'K5:a', 'K5:t', '-KA', '-PX', 'M4:a', '-M4']);
});
it('keeps a labyrinth card turned the other way for another time', async () => {
  const lesson = (await lessonOf('labyrinth'))!;
  expect(offered(lesson, 1, ['c41r2@0,-1', 'c41r1@0,-1', 'c19r0@1,0'])).toEqual(['c41r2@0,-1', 'c19r0@1,0']);
});
it('offers one track where there is nothing to choose from a hand', async () => {
  expect(offered((await lessonOf('cardtracks'))!, 0, ['>1', '>2', '>3'])).toEqual(['>1']);
});
it('offers nothing where there is only something to read', async () => {
  expect(offered((await lessonOf('labyrinth'))!, 0, ['c19r0@1,0'])).toEqual([]);
});
