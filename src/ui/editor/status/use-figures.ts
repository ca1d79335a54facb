import { EditorView } from '@codemirror/view';
import { useCallback, useState } from 'react';
import { checklistOf } from '../../../editor/index.ts';
import { readChecklist } from '../../../text/read.ts';
import type { OpenEditor } from '../../text-editor/saving/use-saving.ts';
import { figuresOf } from './figures.ts';

/** Milliseconds between a key and new figures below the text. */
const DELAY = 100;

/** The figures of the open text: as they show, and as they are at this moment. The extension belongs to its editor. */
export function useFigures({ document, saving }: OpenEditor, name: string) {
  const now = useCallback(() => {
    const { epoch, seq } = saving.base();
    return figuresOf(document.view ? checklistOf(document.view.state) : readChecklist(document.text), epoch, seq, name);
  }, [document, saving, name]);
  const [figures, show] = useState(now);
  const [extension] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return EditorView.updateListener.of(({ docChanged }) => {
      if (!docChanged) return;
      clearTimeout(timer);
      timer = setTimeout(() => show(now()), DELAY);
    });
  });
  return { figures, now, extension };
}
