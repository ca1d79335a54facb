import type { EditorView } from '@codemirror/view';
import { mergeRewordings } from '../../../text/merge/rewording.ts';
import { addedTo } from './held-text.ts';

/** Milliseconds after the end of a composition during which an editor still reads the page. */
const COMPOSED = 150;

/** Calls `then` once nothing is being composed in the field. Returns the function that ends the wait. */
export function whenComposed(held: HTMLTextAreaElement | null, then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => (held?.hasAttribute('data-composing') ? undefined : then());
  const end = () => {
    clearTimeout(timer);
    timer = setTimeout(check, COMPOSED);
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
export function passHeld(view: EditorView, held: HTMLTextAreaElement | null): 'save' | 'leave' | undefined {
  const now = view.state.doc.toString();
  const { defaultValue: base, value } = held ?? { defaultValue: now, value: now };
  // A draft, or another user's change, is there instead of what was shown.
  const text =
    now === base ? value : value === base ? now : (mergeRewordings(base, value, now) ?? now + addedTo(base, value));
  if (text !== now) view.dispatch({ changes: { from: 0, to: now.length, insert: text } });
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
