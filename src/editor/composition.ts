import type { EditorView } from '@codemirror/view';
import { sleep } from '../domain/timing.ts';

/** CodeMirror still reads the page this long after the end of a composition. */
const SETTLE_DELAY_MS = 100;

/** Resolves when no composition is active in a view: at once, or when its text is in the document. */
export async function compositionEnd(view: EditorView): Promise<void> {
  while (view.composing) {
    await new Promise(resolve => view.contentDOM.addEventListener('compositionend', resolve, { once: true }));
    await sleep(SETTLE_DELAY_MS);
  }
}
