import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface Props {
  /** The initial text. Another value creates another editor; edits are not passed back here. */
  text: string;
  /** Fixed for the editor's life; settings change by `setX()` transactions. */
  extensions: Extension;
  /**
   * Called with the view when it is created, and with `undefined` when it is destroyed. Must be stable, or the editor
   * is recreated.
   */
  onView(view: EditorView | undefined): void;
}

/** A CodeMirror view in React, created in an effect and destroyed in its cleanup, so strict mode is safe. */
export function TextEditor({ text, extensions, onView }: Props) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = container.current;
    if (!parent) return;
    const view = new EditorView({ doc: text, extensions, parent });
    onView(view);
    return () => {
      onView(undefined);
      view.destroy();
    };
  }, [text, extensions, onView]);
  return <div className="editor-text" ref={container} />;
}
