import { lazy } from 'react';
import { loadChunk } from '../shell/lazy-screen.tsx';

/** Lazy twice: the page's first chunk lists each screen's files, and this screen needs the editor's. */
export default lazy(() => loadChunk('help', () => import('./help-screen.tsx')));
