/** What has changed in plain data, as the server says it: the new value whole, or what to change inside. */

export type Change = [unknown] | { [key: string]: Change };

/** A value with a change made to it. The old one stays as it was, and so does every part of it that is the same. */
export function applied(value: unknown, change: Change): unknown {
  if (Array.isArray(change)) return change[0];
  const made: Record<string, unknown> = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  for (const [key, part] of Object.entries(change)) made[key] = applied(made[key], part);
  return made;
}
