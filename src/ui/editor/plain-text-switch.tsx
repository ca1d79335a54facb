import type { EditorView } from '@codemirror/view';
import type { Switch } from './use-plain-text.ts';

interface Props {
  plain: Switch;
  view: EditorView;
}

/** The button beside the figures that shows the text as it is, without chips. */
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
