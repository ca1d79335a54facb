import { lazy } from 'react';
import { loadChunk } from '../shell/lazy-screen.tsx';

/** By a further chunk: the page's first one lists what each screen needs, and this needs what the editor does. */
export default lazy(() => loadChunk('help', () => import('../help/help-screen.tsx')));
