import type { ReactNode } from 'react';
import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { hintOf, nextProblem } from '../../../editor/index.ts';
import type { Figures } from './figures.ts';
import '../editor.css';

const count = (figure: number, one: string, many: string) =>
  `${figure.toLocaleString('en')} ${figure === 1 ? one : many}`;

/** The share of the capacity from which the bar warns. */
const SCARCE = 0.95;

/** Characters left, or the excess. */
function Size({ size }: { size: number }) {
  const over = size - PROPERTY_CAPACITY;
  if (over > 0) return <span className="editor-over">{count(over, 'character', 'characters')} over the limit</span>;
  return (
    <span className={size > PROPERTY_CAPACITY * SCARCE ? 'editor-scarce' : undefined}>
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

/** Progress, rows, problems and remaining capacity of tracker and edition. */
export function StatusBar({ figures, problems, onProblem, children }: Props) {
  const { checked, total, percent, rows, size, left } = figures;
  return (
    <footer className="editor-status">
      <span>
        {checked} of {total} done, {percent}%
      </span>
      <span>{count(rows, 'row', 'rows')}</span>
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
