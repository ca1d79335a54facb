import type { EditorView } from '@codemirror/view';
import { mergeRewordings } from '../../../text/merge/rewording.ts';
import { additionTo } from './held-text.ts';

/** An editor still reads the page this long after the end of a composition. */
const COMPOSITION_SETTLE_MS = 150;

/** Calls `then` once nothing is being composed in the field. Returns the function that ends the wait. */
export function whenComposed(held: HTMLTextAreaElement | null, then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => (held?.hasAttribute('data-composing') ? undefined : then());
  const end = () => {
    clearTimeout(timer);
    timer = setTimeout(check, COMPOSITION_SETTLE_MS);
  };
  held?.addEventListener('compositionend', end);
  check();
  return () => {
    clearTimeout(timer);
    held?.removeEventListener('compositionend', end);
  };
}

/**
 * Passes text and caret of the plain field before an editor to it, and the focus. Returns what Enter, or a focus that went
 * elsewhere meanwhile, asks for.
 */
export function passHeldText(view: EditorView, held: HTMLTextAreaElement | null): 'save' | 'leave' | undefined {
  const currentText = view.state.doc.toString();
  const { defaultValue: base, value } = held ?? { defaultValue: currentText, value: currentText };
  // A draft, or another user's change, is there instead of what was shown.
  const text =
    currentText === base
      ? value
      : value === base
        ? currentText
        : (mergeRewordings(base, value, currentText) ?? currentText + additionTo(base, value));
  if (text !== currentText) view.dispatch({ changes: { from: 0, to: currentText.length, insert: text } });
  // A line break that was pasted may be a blank now.
  const end = view.state.doc.length;
  const at = (position: number) => (text === value ? Math.min(position, end) : end);
  const { selectionStart: anchor, selectionEnd: head } = held ?? { selectionStart: end, selectionEnd: end };
  view.dispatch({ selection: { anchor: at(anchor), head: at(head) } });
  if (held?.readOnly) return 'save';
  const { activeElement, body } = document;
  if (held && activeElement !== held && activeElement !== body && !view.hasFocus) return 'leave';
  view.focus();
  return undefined;
}
