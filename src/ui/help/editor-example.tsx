import Button from '@atlaskit/button/new';
import { EditorView } from '@codemirror/view';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Status } from '../../domain/statuses.ts';
import { checklistEditor, type Provider } from '../../editor/index.ts';
import { statusRegistry } from '../../text/statuses.ts';
import { TextEditor } from '../text-editor/text-editor.tsx';

interface Props {
  /** What it shows, to those who hear it. */
  title: string;
  text: string;
  /** Those that it knows besides the built-in ones. */
  statuses: readonly Status[] | undefined;
  provider: Provider;
}

/** Lines to try the notation on, in the editor itself. Nothing of it is kept. */
export function Example({ title, text, statuses, provider }: Props) {
  const view = useRef<EditorView>(undefined);
  const [changed, setChanged] = useState(false);
  const extensions = useMemo(
    () => [
      checklistEditor({
        ...{
          label: `Example: ${title}`,
          editable: true,
          provider,
          placeholder: text,
          statuses: statusRegistry(statuses),
        },
        save: () => undefined,
      }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) setChanged(state.doc.toString() !== text);
      }),
    ],
    [title, text, statuses, provider],
  );
  const onView = useCallback((made: EditorView | undefined) => {
    view.current = made;
  }, []);
  const again = () => {
    const { current } = view;
    current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } });
    current?.focus();
  };
  return (
    <div className="help-example">
      <TextEditor text={text} extensions={extensions} onView={onView} />
      {changed ? (
        <Button appearance="subtle" spacing="compact" onClick={again}>
          As it was
        </Button>
      ) : null}
    </div>
  );
}
