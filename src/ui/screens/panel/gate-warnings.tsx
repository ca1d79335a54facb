import WarningIcon from '@atlaskit/icon/core/status-warning';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isAnswer } from '../../../client/errors.ts';
import { readTargets, type Targets } from '../../../client/tracker/workflow.ts';
import { gates as words } from '../../../domain/messages.ts';
import { normalName } from '../../../domain/statuses.ts';
import { createTimer } from '../../../domain/timing.ts';
import { sectionsBefore } from '../../../text/header/gates.ts';
import type { Checklist } from '../../../text/types.ts';
import { lazyPart } from '../../kit/lazy-component.tsx';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useBridge } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';

const EnforcementNote = lazyPart(() => import('../../checklist/row/enforcement-note.tsx'));

interface Props {
  issueId: string;
  checklist: Checklist;
}

/** The statuses that the issue can get are not read again on a focus within this time. */
const FRESH_MS = 30_000;
/** A change of the issue may be a tick, so the statuses are read again sooner. */
const FRESH_AT_CHANGE_MS = 5_000;

const isGated = ({ rows }: Checklist) => rows.some(row => row.kind === 'header' && row.gates.length > 0);

const noTargets: Targets = { statuses: [], openStatus: undefined };

/** The statuses to warn of. To a user who may not move the issue, these are the ones that have gates, but the issue's own. */
function statusesBefore({ statuses, openStatus }: Targets, { rows }: Checklist): readonly string[] {
  if (openStatus === undefined) return statuses;
  const gates = rows.flatMap(row => (row.kind === 'header' ? row.gates : []));
  const names = new Map(gates.map(name => [normalName(name), name]));
  names.delete(normalName(openStatus));
  return [...names.values()];
}

/**
 * The statuses that the user can move the issue to, or the issue's; none until they are known. The page reads them as the user, and again
 * when the tracker or the server reports a change or the frame gets the focus: the issue may have another status then. What
 * comes too early is read later. Without the query cache, which the panel does not wait for.
 */
function useTargets(issueId: string, wanted: boolean): Targets {
  const bridge = useBridge();
  const [targets, setTargets] = useState<Targets>(noTargets);
  const readAtMs = useRef(Number.NEGATIVE_INFINITY);
  const reload = useRef((_interval: number): void => undefined);
  useLive({ issue: issueId }, ({ kind }) => {
    if (kind === 'status' || kind === 'gap') reload.current(FRESH_AT_CHANGE_MS);
    // A change may have been missed between two connections.
    else if (kind === 'open' && Date.now() - readAtMs.current >= FRESH_MS) reload.current(0);
  });
  useEffect(() => {
    if (!wanted) return;
    let due = Number.POSITIVE_INFINITY;
    let ended = false;
    const timer = createTimer(() => {
      due = Number.POSITIVE_INFINITY;
      readAtMs.current = Date.now();
      // Until then there is no new warning; the gates still show the open items.
      readTargets(bridge, issueId).then(setTargets, error => isAnswer(error) || ended || load(FRESH_MS));
    });
    const load = (interval: number) => {
      const at = readAtMs.current + interval;
      if (at >= due) return;
      due = at;
      timer.start(Math.max(0, at - Date.now()));
    };
    reload.current = load;
    const focus = () => load(FRESH_MS);
    focus();
    window.addEventListener('focus', focus);
    const stop = bridge.onIssueChanged?.(changed => {
      if (changed === issueId) load(FRESH_AT_CHANGE_MS);
    });
    return () => {
      ended = true;
      reload.current = () => undefined;
      window.removeEventListener('focus', focus);
      stop?.();
      timer.stop();
    };
  }, [bridge, issueId, wanted]);
  return targets;
}

/** Warns of the statuses that the issue can be moved to, but whose sections are not complete, and says what checks it. */
export function GateWarnings({ issueId, checklist }: Props) {
  const targets = useTargets(issueId, isGated(checklist));
  const warnings = useMemo(
    () =>
      statusesBefore(targets, checklist).flatMap(status => {
        const sections = sectionsBefore(checklist, status);
        const open = new Set(sections.flatMap(section => section.open));
        const names = sections.map(({ header }) => nameOf(header));
        return open.size === 0 ? [] : [{ status, text: words.notReady(status, open.size, names) }];
      }),
    [targets, checklist],
  );
  return (
    <div className="check-gates">
      <div role="status">
        {warnings.map(({ status, text }) => (
          <p key={status}>
            <WarningIcon label="" size="small" /> {text}
          </p>
        ))}
      </div>
      {warnings.length > 0 ? <EnforcementNote issueId={issueId} about="gates" /> : null}
    </div>
  );
}
