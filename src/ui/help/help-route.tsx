import { lazy } from 'react';
import { loadChunk } from '../shell/lazy-screen.tsx';

/** In a further chunk: the page's first one lists the files of each screen, and this one needs those of the editor. */
export const HelpRoute = lazy(() =>
  loadChunk('help', async () => ({ default: (await import('./help-screen.tsx')).default })),
);
