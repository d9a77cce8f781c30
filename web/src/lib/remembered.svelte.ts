/** What this device remembers: light or dark, sound, the level of the bots. */

interface Memory {
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  level: number;
}
const KEY = 'clew';
const DEFAULT: Memory = { theme: 'auto', sound: false, level: 3 };

function read(): Memory {
  try {
    return { ...DEFAULT, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Memory>) };
  } catch {
    return { ...DEFAULT };
  }
}

export const remembered = $state<Memory>(read());

export function remember(change: Partial<Memory>): void {
  Object.assign(remembered, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(remembered));
  } catch {
    // A browser that keeps nothing: it holds for this visit.
  }
  dress();
}

/** Put the chosen theme on. */
export function dress(): void {
  if (remembered.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = remembered.theme;
}
