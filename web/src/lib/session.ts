/** What outlives a reload of the page in the same tab, and no more. */

export function kept<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(`clew.${key}`) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
export function keep(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(`clew.${key}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing, or no more of it.
  }
}
