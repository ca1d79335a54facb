import WarningIcon from '@atlaskit/icon/core/status-warning';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readTargets } from '../../client/tracker/workflow.ts';
import { gates as words } from '../../domain/messages.ts';
import { sectionsBefore } from '../../text/header/gates.ts';
import type { Checklist } from '../../text/types.ts';
import { nameOf } from '../model/rows/row-segments.ts';
import { useBridge } from '../shell/services/services.ts';

interface Props {
  issueId: string;
  checklist: Checklist;
}

/** Milliseconds for which the statuses that the issue can get are not read again. */
const FRESH = 30_000;

const isGated = ({ rows }: Checklist) => rows.some(row => row.kind === 'header' && row.gates.length > 0);

/** Warns of the statuses that the user can move the issue to, but whose sections are not complete. */
export function GateWarnings({ issueId, checklist }: Props) {
  const bridge = useBridge();
  // The page reads it as the user, only for checklists with gates.
  const { data: targets } = useQuery({
    queryKey: ['tracker', 'targets', issueId],
    queryFn: () => readTargets(bridge, issueId),
    enabled: isGated(checklist),
    staleTime: FRESH,
    refetchOnWindowFocus: true,
    retry: false,
    meta: { silent: true },
  });
  const warnings = useMemo(
    () =>
      (targets ?? []).flatMap(status => {
        const sections = sectionsBefore(checklist, status);
        const open = new Set(sections.flatMap(section => section.open));
        const names = sections.map(({ header }) => nameOf(header));
        return open.size === 0 ? [] : [{ status, text: words.notReady(status, open.size, names) }];
      }),
    [targets, checklist],
  );
  return (
    <div role="status" className="check-gates">
      {warnings.map(({ status, text }) => (
        <p key={status}>
          <WarningIcon label="" size="small" /> {text}
        </p>
      ))}
    </div>
  );
}
