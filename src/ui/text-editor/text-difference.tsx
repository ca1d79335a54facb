import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { diffView } from '../../editor/diff-view.ts';
import './text-editor.css';

/** A text with its insertions and deletions since another one. */
export default function TextDifference({ before, after }: { before: string; after: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = container.current;
    if (!parent) return undefined;
    const view = new EditorView({ doc: after, parent, extensions: diffView(before, 'Difference') });
    return () => view.destroy();
  }, [before, after]);
  return <div className="text-difference" ref={container} />;
}
