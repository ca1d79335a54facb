import type { ReactNode } from 'react';
import type { SaveState } from '../../client/changes.ts';
import { unreachable } from '../../domain/messages.ts';
import type { Status } from '../../domain/statuses.ts';
import { progressOf } from '../../text/progress.ts';
import type { Progress, Row } from '../../text/types.ts';
import { StatusIcon } from './row/row-parts.tsx';
import './checklist.css';

interface StatusCount {
  status: Status;
  count: number;
}

/** How many items have each status, the completed ones first. */
export function statusCounts(rows: readonly Row[]): StatusCount[] {
  const counts = new Map<string, StatusCount>();
  for (const row of rows) {
    if (row.kind !== 'checkbox') continue;
    const { status } = row;
    const counted = counts.get(status.slug);
    if (counted) counted.count++;
    else counts.set(status.slug, { status, count: 1 });
  }
  // The sort is stable: completed, then begun, each by its first item.
  return [...counts.values()].sort((a, b) => Number(b.status.checked) - Number(a.status.checked));
}

interface ProgressProps {
  progress: Progress;
  /** Without items to do: they are what the bar lacks. */
  counts: readonly StatusCount[];
}

/** Progress in words. The bar and the figures beside it are short for it. */
function wordsOf({ progress: { checked, total, mandatoryOpen }, counts }: ProgressProps): string {
  const done = `${checked} of ${total} done${mandatoryOpen > 0 ? `, ${mandatoryOpen} mandatory open` : ''}`;
  return [done, ...counts.map(({ status, count }) => `${count} ${status.name}`)].join(', ');
}

/** A progress bar with a part for each status in its colour; the kit's bar has one value only. */
const SegmentedBar = ({ progress, counts }: ProgressProps) => (
  <div
    role="progressbar"
    className="check-bar-track"
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={progress.percent}
    aria-label={wordsOf({ progress, counts })}
    title={wordsOf({ progress, counts })}
  >
    {counts.map(({ status: { slug, color, checked }, count }) => (
      <span
        key={slug}
        className={`check-bar-${color} check-bar-${slug === 'done' ? 'done' : checked ? 'checked' : 'open'}`}
        style={{ width: `${(count * 100) / progress.total}%` }}
      />
    ))}
  </div>
);

/** The figures: done items, open mandatory items, and if there is room the items of other statuses. */
const Figures = ({ progress: { checked, total, mandatoryOpen }, counts }: ProgressProps) => (
  <>
    <span className="check-total" aria-hidden="true">
      {checked}/{total}
      {mandatoryOpen > 0 ? ` · ${mandatoryOpen} mandatory` : ''}
    </span>
    {counts.map(({ status, count }) =>
      status.slug === 'done' ? null : (
        <span key={status.slug} className="check-legend" aria-hidden="true">
          <StatusIcon status={status} /> {count} {status.name}
        </span>
      ),
    )}
  </>
);

interface Props {
  rows: readonly Row[];
  /** State of the shown changes. */
  state: SaveState;
  /** Why the saved text is not in the tracker. */
  copyNotice?: string | null | undefined;
  /** Why changes are not stored yet. */
  why: string | undefined;
  /** Unsent changes are lost with the page. */
  volatile: boolean;
  /** Sends waiting changes now. */
  onSend(): void;
  /** The checklist's commands. */
  children: ReactNode;
}

/** Progress and save state of the checklist in one line, with its commands. */
export function ChecklistHeader({ rows, state, copyNotice, why, volatile, onSend, children }: Props) {
  const progress = progressOf(rows);
  const counts = statusCounts(rows).filter(({ status }) => status.slug !== 'todo');
  return (
    <div className="check-header">
      <div className="check-progress">
        {progress.total > 0 ? <SegmentedBar progress={progress} counts={counts} /> : null}
        <p className="check-summary">
          {progress.total > 0 ? <Figures progress={progress} counts={counts} /> : null}
          {state === 'saving' ? <span className="check-saving">Saving…</span> : null}
          {state === 'saved' && copyNotice ? <span>{copyNotice}</span> : null}
        </p>
        <Waiting shown={state === 'waiting'} why={why} volatile={volatile} onSend={onSend} />
      </div>
      {children}
    </div>
  );
}

interface WaitingProps extends Pick<Props, 'why' | 'volatile' | 'onSend'> {
  shown: boolean;
}

/** Message about changes that could not be sent yet, with a retry. */
const Waiting = ({ shown, why, volatile, onSend }: WaitingProps) => (
  <p className="check-waiting">
    <span role="status">
      {shown
        ? ['Not saved yet.', why, volatile && 'Keep this page open.', unreachable.retrying].filter(Boolean).join(' ')
        : ''}
    </span>
    {shown ? (
      <button type="button" className="check-send" onClick={onSend}>
        Retry now
      </button>
    ) : null}
  </p>
);
