import { EditorView } from '@codemirror/view';
import { useCallback, useState } from 'react';
import { edition } from '../../../domain/edition.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { createTimer } from '../../../domain/timing.ts';
import { checklistOf } from '../../../editor/index.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Checklist } from '../../../text/types.ts';
import type { OpenEditor } from '../../text-editor/saving/use-saving.ts';

/** The figures in the status bar. */
export interface Figures {
  checked: number;
  total: number;
  percent: number;
  rows: number;
  /** Size of the stored property, in characters as the tracker counts them. */
  size: number;
  /** Items left in the edition, negative above the limit; `Infinity` without a limit. */
  left: number;
}

/** As long as the epoch that the server assigns to a new checklist: a UUID. */
const EPOCH = '00000000-0000-0000-0000-000000000000';

/** The figures of a checklist, stored with this base and name. */
export function figuresOf({ rows, text }: Checklist, epoch: string, seq: number, name: string): Figures {
  const progress = progressOf(rows);
  const { checked, total, percent } = progress;
  const size = encodedSize({ v: 1, epoch: epoch || EPOCH, seq: seq + 1, name, text, progress });
  return { checked, total, percent, rows: rows.length, size, left: edition.limits.itemsPerChecklist - total };
}

/** Milliseconds between an edit and updated figures. */
const DELAY = 100;

/**
 * The figures of the open text: the shown ones, and a function for the current ones. The extension belongs to the
 * text's editor.
 */
export function useFigures({ document, saving }: OpenEditor, name: string) {
  const now = useCallback(() => {
    const { epoch, seq } = saving.base();
    return figuresOf(document.view ? checklistOf(document.view.state) : readChecklist(document.text), epoch, seq, name);
  }, [document, saving, name]);
  const [figures, show] = useState(now);
  const [extension] = useState(() => {
    const timer = createTimer(() => show(now()));
    return EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) timer.start(DELAY);
    });
  });
  return { figures, now, extension };
}
