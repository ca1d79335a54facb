import type { ReactNode } from 'react';
import type { SaveState } from '../../client/changes.ts';
import { storage } from '../../domain/messages.ts';
import { progressOf } from '../../text/progress.ts';
import type { Progress, Row } from '../../text/types.ts';
import './checklist.css';

/** How many items are done, skipped and begun. */
export interface Segments {
  done: number;
  skipped: number;
  /** Neither complete nor to do, including a site's own statuses. */
  begun: number;
}

export function segmentsOf(rows: readonly Row[]): Segments {
  const counts = { done: 0, skipped: 0, begun: 0 };
  for (const row of rows) {
    if (row.kind !== 'checkbox') continue;
    const { checked, slug } = row.status;
    if (checked) counts[slug === 'skipped' ? 'skipped' : 'done']++;
    else if (slug !== 'todo') counts.begun++;
  }
  return counts;
}

interface ProgressProps {
  progress: Progress;
  segments: Segments;
}

/** A progress bar of done, skipped and begun; the kit's bar has one value only. */
export function SegmentedBar({ progress: { checked, total, percent }, segments }: ProgressProps) {
  const width = (count: number) => ({ width: `${(count * 100) / total}%` });
  return (
    <div
      role="progressbar"
      className="check-bar-track"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-label={`${checked} of ${total} done, ${percent} percent`}
    >
      <span className="check-bar-done" style={width(segments.done)} />
      <span className="check-bar-skipped" style={width(segments.skipped)} />
      <span className="check-bar-begun" style={width(segments.begun)} />
    </div>
  );
}

/** The same in words. */
export const SegmentWords = ({
  progress: { checked, total, percent },
  segments: { skipped, begun },
}: ProgressProps) => (
  <>
    <span>
      {checked} of {total} done
    </span>
    <span className="check-percent">{percent}%</span>
    {skipped > 0 ? <span className="check-word-skipped">{skipped} skipped</span> : null}
    {begun > 0 ? <span className="check-word-begun">{begun} in progress</span> : null}
  </>
);

interface Props {
  rows: readonly Row[];
  /** State of the shown changes. */
  state: SaveState;
  /** The saved text is overdue in the tracker. */
  copyPending: boolean;
  /** Why changes are not stored yet. */
  why: string | undefined;
  /** Unsent changes are lost with the page. */
  volatile: boolean;
  /** Sends waiting changes now. */
  onSend(): void;
  /** The checklist's commands. */
  children: ReactNode;
}

/** Progress and save state of the checklist, with its commands. */
export function ChecklistHeader({ rows, state, copyPending, why, volatile, onSend, children }: Props) {
  const progress = progressOf(rows);
  const { total, mandatoryOpen } = progress;
  const segments = segmentsOf(rows);
  return (
    <div className="check-header">
      <div className="check-progress">
        {total > 0 ? <SegmentedBar progress={progress} segments={segments} /> : null}
        <p className="check-summary">
          {total > 0 ? <SegmentWords progress={progress} segments={segments} /> : null}
          {mandatoryOpen > 0 ? <span>{mandatoryOpen} mandatory open</span> : null}
          {state === 'saving' ? <span className="check-saving">Saving…</span> : null}
          {state === 'saved' && copyPending ? <span>{storage.copyPending}</span> : null}
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
      {shown ? `Not saved yet. ${why ?? ''} ${volatile ? 'Keep this page open. ' : ''}Retrying automatically.` : ''}
    </span>
    {shown ? (
      <button type="button" className="check-send" onClick={onSend}>
        Try now
      </button>
    ) : null}
  </p>
);
