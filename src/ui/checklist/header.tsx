import type { ReactNode } from 'react';
import type { SaveState } from '../../client/changes.ts';
import { storage } from '../../domain/messages.ts';
import { progressOf } from '../../text/progress.ts';
import type { Row } from '../../text/types.ts';
import { segmentsOf } from '../model/rows/progress-counts.ts';
import { SegmentedBar, SegmentWords } from './progress-bar.tsx';

interface Props {
  rows: readonly Row[];
  /** How far the changes are that show here. */
  state: SaveState;
  /** What is saved is not in the tracker yet, though it is time. */
  copyPending: boolean;
  /** They would go with the page. */
  volatile: boolean;
  /** Sends what waits now. */
  onSend(): void;
  /** What can be done with the list as a whole. */
  children: ReactNode;
}

/** How far the checklist is, and what else stands beside that. */
export function ChecklistHeader({ rows, state, copyPending, volatile, onSend, children }: Props) {
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
        <Waiting shown={state === 'waiting'} volatile={volatile} onSend={onSend} />
      </div>
      {children}
    </div>
  );
}

interface WaitingProps extends Pick<Props, 'volatile' | 'onSend'> {
  shown: boolean;
}

/** Changes that the server or the tracker could not take yet: what becomes of them, and what to do. */
const Waiting = ({ shown, volatile, onSend }: WaitingProps) => (
  <p className="check-waiting">
    <span role="status">
      {shown ? `Not saved yet. ${volatile ? 'Keep this page open. ' : ''}Retrying automatically.` : ''}
    </span>
    {shown ? (
      <button type="button" className="check-send" onClick={onSend}>
        Try now
      </button>
    ) : null}
  </p>
);
