import type { EditorView } from '@codemirror/view';

/** Milliseconds after the end of a composition in which CodeMirror still reads what it left in the page. */
const SETTLED = 100;

/** Resolves when nobody composes in a view: at once, or when the composition is in the text. */
export async function settled(view: EditorView): Promise<void> {
  while (view.composing) {
    await new Promise(resolve => view.contentDOM.addEventListener('compositionend', resolve, { once: true }));
    await new Promise(resolve => setTimeout(resolve, SETTLED));
  }
}
