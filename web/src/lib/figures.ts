/** Numbers as people read them. */

/** A number with a true minus sign. */
export const signed = (n: number | string) => (typeof n === 'number' && n < 0 ? `−${-n}` : `${n}`);

/** A sentence whose numbers have true minus signs, and whose "2 to 1" stays on one line. */
export const proper = (text: string) =>
  text.replace(/(^|[\s(])-(?=\d)/g, '$1−').replace(/(\d) to (?=[−\d])/g, '$1\u00a0to\u00a0');

/** Chances as whole percents that come to a hundred together. */
export function percents(chances: number[]): number[] {
  const sum = chances.reduce((a, b) => a + b, 0);
  const found = chances.map((chance) => Math.floor(100 * chance));
  if (Math.abs(sum - 1) > 0.01) return chances.map((chance) => Math.round(100 * chance));
  const byRest = chances.map((chance, i) => [100 * chance - found[i], i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const missing = 100 - found.reduce((a, b) => a + b, 0);
  for (const [, i] of byRest.slice(0, Math.max(0, missing))) found[i] += 1;
  return found;
}
