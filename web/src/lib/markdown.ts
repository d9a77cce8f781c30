/** Markdown as a tree of the few elements that a rule book may have. No HTML is ever made or read: what looks like it
    stays text, and an element that is not in this file cannot be in the tree. */

import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';

type Tag = 'h2' | 'h3' | 'p' | 'ul' | 'ol' | 'li' | 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td' | 'pre' | 'blockquote' | 'hr' | 'strong' | 'em' | 'code' | 'br' | 'a';
export interface Element {
  tag: Tag;
  children: Node[];
  /** The id of a rule, on the item that states it. */
  rule?: string;
  /** Of a link: always http or https. */
  href?: string;
}
export type Node = string | Element;

const RULE = /^[A-Z]{3}-\d+$/;
const WEB = /^https?:\/\//i;

export function markdown(text: string): Element[] {
  return blocks(lexer(text)).filter((node) => typeof node !== 'string');
}

const of = (tag: Tag, children: Node[] = []): Element => ({ tag, children });
const blocks = (tokens: Token[]): Node[] => tokens.flatMap((token) => block(token as MarkedToken));
const inline = (tokens: Token[]): Node[] => tokens.flatMap((token) => span(token as MarkedToken));

function block(token: MarkedToken): Node[] {
  switch (token.type) {
    case 'heading':
      return [of(token.depth === 1 ? 'h2' : 'h3', inline(token.tokens))];
    case 'paragraph':
      return [of('p', inline(token.tokens))];
    case 'text': // the line of an item without blank lines around it
      return token.tokens ? inline(token.tokens) : [token.text];
    case 'list':
      return [of(token.ordered ? 'ol' : 'ul', token.items.map(item))];
    case 'table':
      return [of('table', [of('thead', [row('th', token.header)]), of('tbody', token.rows.map((cells) => row('td', cells)))])];
    case 'code':
      return [of('pre', [token.text])];
    case 'blockquote':
      return [of('blockquote', blocks(token.tokens))];
    case 'hr':
      return [of('hr')];
    case 'html':
      return token.text.trim() ? [of('p', [token.text.trim()])] : [];
    default: // blank lines, and definitions of links
      return [];
  }
}

/** A heading without words is none. */
const row = (tag: 'th' | 'td', cells: Tokens.TableCell[]) => of('tr', cells.map((cell) => of(cell.text ? tag : 'td', inline(cell.tokens))));

/** An item; one that begins with the id of a rule states that rule. */
function item(token: Tokens.ListItem): Element {
  const made = of('li', blocks(token.tokens));
  const line = typeof made.children[0] === 'object' && made.children[0].tag === 'p' ? made.children[0] : made;
  const [first, next] = line.children;
  if (typeof first === 'object' && first.tag === 'strong' && typeof first.children[0] === 'string' && RULE.test(first.children[0])) {
    made.rule = first.children[0];
    line.children.shift();
    if (typeof next === 'string') line.children[0] = next.trimStart();
  }
  return made;
}

function span(token: MarkedToken): Node[] {
  switch (token.type) {
    case 'strong':
    case 'em':
      return [of(token.type, inline(token.tokens))];
    case 'del':
      return inline(token.tokens);
    case 'codespan':
      return [of('code', [token.text])];
    case 'br':
      return [of('br')];
    case 'link':
      return WEB.test(token.href) ? [{ tag: 'a', href: token.href, children: inline(token.tokens) }] : inline(token.tokens);
    case 'text':
      return token.tokens ? inline(token.tokens) : [token.text.replaceAll('\n', ' ')];
    case 'escape':
    case 'html':
    case 'image': // its description
      return [token.text];
    default:
      return [];
  }
}
