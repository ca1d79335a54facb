import { act, cleanup } from '@testing-library/react';

/** All that this browser stores for the app, but what was saved. */
export const storedTexts = (): string =>
  Object.entries({ ...localStorage })
    .flatMap(([key, value]) => (key.includes('.saved-values/') ? [] : value))
    .join('\n');

/** Ends the page as an engine that runs no script on leaving: only what was stored before stays. */
export async function endPage(): Promise<void> {
  const kept = { ...localStorage };
  cleanup();
  // What a closed field saves belongs to a page that ends properly.
  await act(() => new Promise(resolve => setTimeout(resolve, 50)));
  localStorage.clear();
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
}
