import type { EditorView } from '@codemirror/view';
import { useEffect, useMemo } from 'react';
import * as v from 'valibot';
import { type EditorCommand, setPlain } from '../../editor/index.ts';
import { usePreference } from '../model/use-preference.ts';

/** A toggle command and its state. */
export interface Switch {
  on: boolean;
  command: EditorCommand;
}

const shape = v.boolean();

/** Whether people, days, issues and emoji show as plain text instead of chips. */
export function usePlainText(view: EditorView | undefined): Switch {
  const [on, choose] = usePreference('plain-text', shape, false);
  useEffect(() => view?.dispatch(setPlain(on)), [view, on]);
  const command = useMemo(
    (): EditorCommand => ({
      id: 'plainText',
      title: 'Plain text on or off',
      edits: false,
      run: () => {
        choose(!on);
        return true;
      },
    }),
    [on, choose],
  );
  return { on, command };
}

interface Props {
  plain: Switch;
  view: EditorView;
}

/** The button in the status bar that shows the text without chips. */
export const PlainTextSwitch = ({ plain: { on, command }, view }: Props) => (
  <button
    type="button"
    className="editor-switch"
    aria-pressed={on}
    onClick={() => {
      command.run(view);
      view.focus();
    }}
  >
    Plain text
  </button>
);
