import { expect, it } from 'vitest';
import { blocks } from './markdown';

it('reads a rule book: headings, rules with their ids over several lines, paragraphs', () => {
  const found = blocks('# Title\nSome *words*\nmore.\n\n- **PAL-01** A rule\n  in two lines.\n- **PAL-02** Another with `code`.\n');
  expect(found.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'item', 'item']);
  expect(found[2]).toEqual({ kind: 'item', id: 'PAL-01', spans: [{ kind: 'text', text: 'A rule in two lines.' }] });
});
it('takes what looks like HTML as words', () => {
  expect(blocks('<b>x</b>')).toEqual([{ kind: 'paragraph', spans: [{ kind: 'text', text: '<b>x</b>' }] }]);
});
