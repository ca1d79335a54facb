import { EditorView } from '@codemirror/view';
import { type ReactNode, useCallback, useState } from 'react';
import { MARK_ROOM, PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { edition } from '../../../domain/edition.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { createTimer } from '../../../domain/timing.ts';
import { checklistOf, hintOf, isChecklistChanged, nextProblem } from '../../../editor/index.ts';
import { progressOf } from '../../../text/progress.ts';
import { readChecklist } from '../../../text/read.ts';
import type { Checklist } from '../../../text/types.ts';
import type { OpenEditor } from '../../text-editor/saving/open-editor.ts';
import { stateOf, textOf } from '../../text-editor/saving/open-text.ts';
import './editor.css';

const count = (figure: number, one: string, many: string) =>
  `${figure.toLocaleString('en')} ${figure === 1 ? one : many}`;

/** From the first share of the capacity on, the bar shows how much is left; from the second on, it warns. */
const SHOWN_FROM_SHARE = 0.9;
const SCARCE_FROM_SHARE = 0.95;

/** Characters left when they run short, or the excess. */
function Size({ size }: { size: number }) {
  const over = size - PROPERTY_CAPACITY;
  if (over > 0) return <span className="editor-over">{count(over, 'character', 'characters')} over the limit</span>;
  if (size <= PROPERTY_CAPACITY * SHOWN_FROM_SHARE) return null;
  return (
    <span className={size > PROPERTY_CAPACITY * SCARCE_FROM_SHARE ? 'editor-scarce' : undefined}>
      {(PROPERTY_CAPACITY - size).toLocaleString('en')} of {count(PROPERTY_CAPACITY, 'character', 'characters')} left
    </span>
  );
}

/** Problems of an open text, and how many of them are errors. */
export interface Problems {
  all: number;
  errors: number;
}

interface Props {
  figures: Figures;
  /** Problems in the text; `undefined` until it is checked. */
  problems: Problems | undefined;
  /** Goes to the next problem. */
  onProblem(): void;
  /** Switches at the bar's end. */
  children?: ReactNode;
}

/** Progress, problems and remaining capacity of tracker and edition. */
export function StatusBar({ figures, problems, onProblem, children }: Props) {
  const { checked, total, percent, size, left } = figures;
  return (
    <footer className="editor-status">
      <span>
        {checked} of {total} done, {percent}%
      </span>
      <Size size={size} />
      {Number.isFinite(left) && (
        <span className={left < 0 ? 'editor-over' : left === 0 ? 'editor-scarce' : undefined}>
          {left < 0 ? `${count(-left, 'item', 'items')} over the limit` : `${count(left, 'item', 'items')} left`}
        </span>
      )}
      {problems && problems.all > 0 ? (
        <button
          type="button"
          className={problems.errors > 0 ? 'editor-problems editor-over' : 'editor-problems'}
          title={hintOf(nextProblem)}
          onClick={onProblem}
        >
          {count(problems.all, 'problem', 'problems')}
        </button>
      ) : null}
      {children}
    </footer>
  );
}

/** The figures in the status bar. */
export interface Figures {
  checked: number;
  total: number;
  percent: number;
  /** Size of the stored property, in characters as the tracker counts them. */
  size: number;
  /** Items left in the edition, negative above the limit; `Infinity` without a limit. */
  left: number;
}

/** The server assigns a UUID to a new checklist, so this text is as long as the future epoch. */
const PLACEHOLDER_EPOCH = '00000000-0000-0000-0000-000000000000';

/** The figures of a checklist, stored with this base and name. */
export function figuresOf({ rows, text }: Checklist, epoch: string, seq: number, name: string): Figures {
  const progress = progressOf(rows);
  const { checked, total, percent } = progress;
  const size = encodedSize({ v: 1, epoch: epoch || PLACEHOLDER_EPOCH, seq: seq + 1, name, text, progress }) + MARK_ROOM;
  return { checked, total, percent, size, left: edition.limits.itemsPerChecklist - total };
}

const UPDATE_DELAY_MS = 100;

/**
 * The figures of the open text: the shown ones, and a function for the current ones. The extension belongs to the
 * text's editor.
 */
export function useFigures({ document, saving }: OpenEditor, name: string) {
  const currentFigures = useCallback(() => {
    const { epoch, seq } = saving.base();
    const state = stateOf(document);
    return figuresOf(state ? checklistOf(state) : readChecklist(textOf(document)), epoch, seq, name);
  }, [document, saving, name]);
  const [figures, show] = useState(currentFigures);
  const [extension] = useState(() => {
    const timer = createTimer(() => show(currentFigures()));
    return EditorView.updateListener.of(update => {
      if (isChecklistChanged(update)) timer.start(UPDATE_DELAY_MS);
    });
  });
  return { figures, now: currentFigures, extension };
}
