import FullscreenIcon from '@atlaskit/icon/core/fullscreen-enter';
import ProgressBar, { SuccessProgressBar } from '@atlaskit/progress-bar';
import type { Ref } from 'react';
import type { Progress } from '../../text/types.ts';
import { Button } from '../parts/button.tsx';

interface Props {
  progress: Progress;
  /** A change is applied here and not stored yet. */
  pending: boolean;
  openerRef: Ref<HTMLButtonElement>;
  /** Missing for people who may not edit. */
  onOpen: (() => void) | undefined;
}

/** How far the checklist is, and the way into the full-screen editor. */
export function ChecklistHeader({ progress, pending, openerRef, onOpen }: Props) {
  const { checked, total, percent, mandatoryOpen } = progress;
  const Bar = total > 0 && checked === total ? SuccessProgressBar : ProgressBar;
  return (
    <div className="check-header">
      <div className="check-progress">
        {total > 0 ? <Bar value={percent / 100} ariaLabel={`${checked} of ${total} done, ${percent} percent`} /> : null}
        <p className="check-summary">
          {total > 0 ? (
            <>
              <span>
                {checked} of {total} done
              </span>
              <span className="check-percent">{percent}%</span>
            </>
          ) : null}
          {mandatoryOpen > 0 ? <span>{mandatoryOpen} mandatory open</span> : null}
          {pending ? <span className="check-pending">Not saved yet</span> : null}
        </p>
      </div>
      {onOpen ? (
        <Button ref={openerRef} appearance="subtle" icon={FullscreenIcon} onClick={onOpen}>
          Open editor
        </Button>
      ) : null}
    </div>
  );
}
