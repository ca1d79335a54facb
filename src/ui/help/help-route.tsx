import { lazy } from 'react';
import { loadChunk } from '../shell/lazy-screen.tsx';

/** In a further chunk: the page's first one lists the files of each screen, and this one needs those of the editor. */
export default lazy(() => loadChunk('help', () => import('./help-screen.tsx')));
