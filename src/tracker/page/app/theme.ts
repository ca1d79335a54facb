import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const STORAGE_KEY = 'tracker.theme';
const root = document.documentElement;

/** Both themes are always named; the colour mode selects one. The vendor's bridge passes both to frames. */
const THEME_NAMES = 'light:light dark:dark spacing:spacing';

const current = (): Theme => (root.dataset.colorMode === 'dark' ? 'dark' : 'light');

function show(theme: Theme): void {
  root.dataset.theme = THEME_NAMES;
  root.dataset.colorMode = theme;
}

/** Restores the theme of the last visit. */
export const restoreTheme = (): void => show(localStorage.getItem(STORAGE_KEY) === 'dark' ? 'dark' : 'light');

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  show(theme);
}

/** The attributes that set a document's theme; the platform's script sets them in Forge frames. */
export const themeAttributes = () => ({ colorMode: current(), theme: THEME_NAMES });

/** Returns the unsubscribe function. */
export const followTheme = (listener: () => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributeFilter: ['data-color-mode'] });
  return () => observer.disconnect();
};

export const useTheme = (): Theme => useSyncExternalStore(followTheme, current);
