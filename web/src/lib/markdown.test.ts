import { mount, unmount } from 'svelte';
import { describe, expect, it } from 'vitest';
import Markdown from './Markdown.svelte';
import { markdown, type Element, type Node } from './markdown';

const files = import.meta.glob<string>('../../../src/clew/games/*/rules.md', { query: '?raw', import: 'default', eager: true });
const books = Object.entries(files).map(([path, text]) => [path.split('/').at(-2)!, text] as const);

const wordsOf = (node: Node): string => (typeof node === 'string' ? node : node.children.map(wordsOf).join(' '));
function within(nodes: Node[], tag: string): Element[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [...(node.tag === tag ? [node] : []), ...within(node.children, tag)]));
}
/** A page with this text on it. */
function drawn(text: string): HTMLElement {
  const target = document.createElement('div');
  const made = mount(Markdown, { target, props: { nodes: markdown(text) } });
  const copy = target.cloneNode(true) as HTMLElement;
  void unmount(made);
  return copy;
}

it('finds the five rule books', () => {
  expect(books.map(([game]) => game)).toEqual(['aathenuo', 'ariadne', 'cardtracks', 'labyrinth', 'palaces']);
});

describe.each(books)('the rules of %s', (_game, text) => {
  it('have every rule once', () => {
    const stated = [...text.matchAll(/^- \*\*([A-Z]{3}-\d+)\*\*/gm)].map((match) => match[1]);
    const shown = [...drawn(text).querySelectorAll('[data-rule]')].map((node) => node.getAttribute('data-rule'));
    expect(stated.length).toBeGreaterThan(10);
    expect(shown).toEqual(stated);
  });
  it('show no signs of Markdown', () => {
    const page = drawn(text);
    for (const node of page.querySelectorAll('pre, code')) node.remove(); // those are shown as they are written
    expect(page.textContent).not.toMatch(/\*|\||`|^\s*- |^#|^\d+\. /m);
  });
  it('keep every word', () => {
    const bare = (said: string) => said.replace(/[^\p{L}\p{N}]+/gu, '').replace(/text/g, '');
    const ids = /[A-Z]{3}-\d+/g;
    const before = text.replace(/^\|[\s:|-]+\|$/gm, '').replace(ids, '');
    expect(bare(drawn(text).textContent!.replace(ids, ''))).toBe(bare(before));
  });
  it('have tables with as many cells in each row', () => {
    for (const table of within(markdown(text), 'table')) {
      const rows = within([table], 'tr').map((row) => row.children.length);
      expect(new Set(rows).size).toBe(1);
    }
  });
});

it('has drawings that fit beside the table on a phone', () => {
  for (const [, text] of books)
    for (const drawing of within(markdown(text), 'pre')) expect(Math.max(...wordsOf(drawing).split('\n').map((line) => line.length))).toBeLessThanOrEqual(36);
});

describe('Aathenuo, whose rules have lists and drawings in them', () => {
  const rule = (id: string) => within(markdown(books[0][1]), 'li').find((item) => item.rule === id)!;
  it('AAT-06 has a list of four promises, and a decision after it', () => {
    const [list] = within(rule('AAT-06').children, 'ul');
    expect(list.children.length).toBe(4);
    const kinds = rule('AAT-06').children.map((node) => (typeof node === 'string' ? 'text' : node.tag));
    expect(kinds).toEqual(['p', 'ul', 'p']);
    expect(wordsOf(rule('AAT-06').children[2])).toMatch(/^Decision:/);
  });
  it('AAT-07 and AAT-08 have their drawings, line by line', () => {
    const drawings = within(rule('AAT-07').children, 'pre').map(wordsOf);
    expect(drawings.length).toBe(2);
    expect(drawings[0].split('\n').slice(0, 5).map((line) => line.slice(0, 10).trimEnd())).toEqual(['a crossing', 'R3 R4 R5', '      B5', '      Y5', '5 tiles, 2']);
    expect(wordsOf(within(rule('AAT-08').children, 'pre')[0])).toContain('\nR5 B5 Y5     one number\nG2 R2 B2 Y2  in any order\n');
  });
});

it('reads what a rule book may have', () => {
  const page = drawn('# Title\nSome *words*\nmore.\n\n- **PAL-01** A rule\n  in two lines.\n- **PAL-02** Another with `code`.\n\n1. one\n   - in it\n2. two\n\n> said\n\n[a page](https://example.org/a) a\\*b\n');
  expect(page.querySelector('h2')!.textContent).toBe('Title');
  expect(page.querySelector('p')!.textContent).toBe('Some words more.');
  expect(page.querySelector('p > em')!.textContent).toBe('words');
  expect(page.querySelector('[data-rule=PAL-01]')!.textContent).toBe('PAL-01A rule in two lines.');
  expect(page.querySelectorAll('ol > li').length).toBe(2);
  expect(page.querySelectorAll('ol > li > ul > li').length).toBe(1);
  expect(page.querySelector('a')!.getAttribute('href')).toBe('https://example.org/a');
  expect(page.textContent).toContain('a*b');
});

it.each([
  '<img src=x onerror="alert(1)">',
  'a <b onclick="alert(1)">word</b>',
  '<script>alert(1)</script>',
  '<svg><script>alert(1)</script></svg>',
  '[x](javascript:alert(1))',
  '[x](  JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:alert(1))',
  '![x](https://example.org/x.png)',
  '<a href="javascript:alert(1)">x</a>',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '| a |\n|---|\n| <iframe src=//example.org></iframe> |',
  '```<script>\nalert(1)\n```',
  '- **<img src=x onerror=alert(1)>** x',
  '&lt;img src=x onerror=alert(1)&gt;',
  '<style>*{display:none}</style>',
])('makes no element and no address of %s', (text) => {
  const page = drawn(text);
  expect(page.querySelector('script, img, svg, iframe, style, object, form, input, b')).toBeNull();
  for (const node of page.querySelectorAll('*'))
    for (const { name, value } of node.attributes) {
      expect(name).not.toMatch(/^on|^style$|^src/);
      if (name === 'href') expect(value).toMatch(/^https?:/);
    }
});
it('leaves what looks like HTML in view as words', () => {
  expect(drawn('a <b>word</b>').textContent).toContain('a <b>word</b>');
});
