import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface Props {
  /** What the editor opens with. Another value makes another editor; what is typed never comes back through here. */
  text: string;
  /** Fixed for the editor's life; settings change by transactions of the `setX()` kind. */
  extensions: Extension;
  /** The view while it is there, `undefined` when it has gone. Stable, or the editor is made anew. */
  onView(view: EditorView | undefined): void;
}

/** A CodeMirror view in React: made in an effect and destroyed in its cleanup, so that strict mode does no harm. */
export function TextEditor({ text, extensions, onView }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const view = new EditorView({ doc: text, extensions, parent });
    onView(view);
    return () => {
      onView(undefined);
      view.destroy();
    };
  }, [text, extensions, onView]);
  return <div className="editor-text" ref={place} />;
}
