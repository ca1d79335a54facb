import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { type AssignedIssue, getIssuePermissions, MOST_HELD } from '../../client/assigned.ts';
import { useGraphql } from '../shell/services/services.ts';
import { KEY } from './use-assigned.ts';

/** Polling interval in milliseconds: no live event reports a lost permission. */
const POLL = 10_000;

interface Lost {
  id: string;
  key: string;
}

export interface IssuePermissions {
  /** The issues with their current permissions. */
  issues: ReadonlyMap<string, AssignedIssue>;
  /** Listed issues found to be deleted or invisible to the user. */
  lost: readonly Lost[];
}

const nothing: readonly never[] = [];

/** Polls the permissions on the listed issues while the page is visible. Calls `onChange` when the lost issues change. */
export function useIssuePermissions(
  issues: ReadonlyMap<string, AssignedIssue>,
  onChange: () => void,
): IssuePermissions {
  const graphql = useGraphql();
  const shown = useRef(issues);
  /** Keys, by id, of issues listed since the last poll and of lost ones. */
  const watched = useRef(new Map<string, string>());
  useEffect(() => {
    shown.current = issues;
    for (const { id, key } of issues.values()) watched.current.set(id, key);
  }, [issues]);
  const { data } = useQuery({
    queryKey: [...KEY, 'permissions'],
    queryFn: async ({ signal }) => {
      const asked = [...watched.current].slice(-MOST_HELD);
      if (asked.length === 0) return { lost: [], held: [] };
      const issueIds = asked.map(([id]) => id);
      const { issuePermissions: held } = await graphql.query(getIssuePermissions, { issueIds }, signal);
      const found = new Set(held.map(({ issueId }) => issueId));
      const lost = asked.flatMap(([id, key]) => (found.has(id) ? [] : { id, key }));
      const now = [...shown.current.values()].map(({ id, key }) => ({ id, key }));
      watched.current = new Map([...now, ...lost].map(({ id, key }) => [id, key]));
      return { lost, held };
    },
    refetchInterval: POLL,
    // The list reports errors.
    meta: { silent: true },
  });
  const { lost = nothing, held = nothing } = data ?? {};
  const gone = lost.map(({ id }) => id).join(' ');
  const known = useRef(gone);
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    if (known.current !== gone) changed();
    known.current = gone;
  }, [gone]);
  const current = useMemo(() => {
    const now = new Map(held.map(({ issueId, permissions }) => [issueId, permissions]));
    return new Map([...issues].map(([id, issue]) => [id, withPermissions(issue, now.get(id))]));
  }, [issues, held]);
  return { issues: current, lost };
}

/** Returns the same object if unchanged: its rows are not rendered again. */
function withPermissions(issue: AssignedIssue, now: AssignedIssue['permissions'] | undefined): AssignedIssue {
  const old: Record<string, boolean> = issue.permissions;
  const same = !now || Object.entries(now).every(([name, held]) => old[name] === held);
  return same ? issue : { ...issue, permissions: now };
}
