import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const STORED = 'tracker.theme';
const root = document.documentElement;

/** Both themes are always named; the colour mode says which one counts. The vendor's bridge tells our frames of both. */
const NAMES = 'light:light dark:dark spacing:spacing';

const current = (): Theme => (root.dataset.colorMode === 'dark' ? 'dark' : 'light');

function show(theme: Theme): void {
  root.dataset.theme = NAMES;
  root.dataset.colorMode = theme;
}

/** Takes up the theme of the last visit. */
export const restoreTheme = (): void => show(localStorage.getItem(STORED) === 'dark' ? 'dark' : 'light');

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  show(theme);
}

/** What says on a document which theme counts; the platform's script sets it in frames of Forge. */
export const themeAttributes = () => ({ colorMode: current(), theme: NAMES });

/** Returns what ends it. */
export const followTheme = (listener: () => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributeFilter: ['data-color-mode'] });
  return () => observer.disconnect();
};

export const useTheme = (): Theme => useSyncExternalStore(followTheme, current);
