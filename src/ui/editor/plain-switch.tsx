import type { EditorView } from '@codemirror/view';
import { useEffect } from 'react';
import { setPlain } from '../../editor/index.ts';
import { useChoice } from './use-choice.ts';

/** Shows every character of the text as it is, or people, days, issues and emoji as what they are. */
export function PlainSwitch({ view }: { view: EditorView | undefined }) {
  const [on, choose] = useChoice('plain-text', false);
  useEffect(() => view?.dispatch(setPlain(on)), [view, on]);
  return (
    <button
      type="button"
      className="editor-switch"
      aria-pressed={on}
      onClick={() => {
        choose(!on);
        view?.focus();
      }}
    >
      Plain text
    </button>
  );
}
