/** The little Markdown that rule books use, as data: no HTML is made of it. */

export type Span = { kind: 'text' | 'bold' | 'italic' | 'code'; text: string };
export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'item'; id: string; spans: Span[] }
  | { kind: 'row'; cells: Span[][] }
  | { kind: 'code'; text: string };

export function spans(text: string): Span[] {
  const found: Span[] = [];
  const sign = /\*\*(.+?)\*\*|(?<!\w)[*_](.+?)[*_](?!\w)|`(.+?)`|\[(.+?)\]\([^)]*\)/g;
  let at = 0;
  for (const match of text.matchAll(sign)) {
    if (match.index > at) found.push({ kind: 'text', text: text.slice(at, match.index) });
    if (match[1]) found.push({ kind: 'bold', text: match[1] });
    else if (match[2]) found.push({ kind: 'italic', text: match[2] });
    else if (match[3]) found.push({ kind: 'code', text: match[3] });
    else found.push({ kind: 'text', text: match[4] });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ kind: 'text', text: text.slice(at) });
  return found;
}

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const part of text.replaceAll('\r', '').split(/\n(?=- |#|\n)/)) {
    const body = part.replace(/^\n+/, '');
    if (!body.trim()) continue;
    const heading = /^(#+)\s+(.*)$/.exec(body.split('\n')[0]);
    const rest = heading ? body.split('\n').slice(1).join('\n') : body;
    if (heading) found.push({ kind: 'heading', level: heading[1].length, spans: spans(heading[2]) });
    if (!rest.trim()) continue;
    const item = /^- (?:\*\*([A-Z]{3}-\d+)\*\*\s*)?([\s\S]*)$/.exec(rest);
    const lines = rest.split('\n');
    if (item) found.push({ kind: 'item', id: item[1] ?? '', spans: spans(joined(item[2])) });
    else if (lines.every((line) => !line.trim() || line.startsWith('|')))
      for (const line of lines.filter((one) => one.trim() && !/^\|[\s:|-]+\|$/.test(one)))
        found.push({ kind: 'row', cells: line.replace(/^\||\|$/g, '').split('|').map((cell) => spans(cell.trim())) });
    else if (lines.every((line) => !line.trim() || line.startsWith('    ')))
      found.push({ kind: 'code', text: lines.map((line) => line.slice(4)).join('\n').trimEnd() });
    else found.push({ kind: 'paragraph', spans: spans(joined(rest)) });
  }
  return found;
}

const joined = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim();
