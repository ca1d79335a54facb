import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { type AssignedIssue, getIssuePermissions, MOST_HELD } from '../../client/assigned.ts';
import { useGraphql } from '../shell/services/services.ts';
import { KEY } from './use-assigned.ts';

/** Milliseconds between two looks at what may be done: nobody tells of a lost permission. */
const LOOK = 10_000;

interface Lost {
  id: string;
  key: string;
}

export interface IssuePermissions {
  /** The issues, with what may be done there now. */
  issues: ReadonlyMap<string, AssignedIssue>;
  /** Those that showed until they were found to be gone, or not for this person any more. */
  lost: readonly Lost[];
}

const nothing: readonly never[] = [];

/**
 * Looks again and again, while the page is seen, whether issues that show may still be seen and worked at. `onChange` is
 * told when some have gone or come back.
 */
export function useIssuePermissions(
  issues: ReadonlyMap<string, AssignedIssue>,
  onChange: () => void,
): IssuePermissions {
  const graphql = useGraphql();
  const shown = useRef(issues);
  /** The keys of what showed at any time since the last look, and of what is lost, by id. */
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
      const there = new Set(held.map(({ issueId }) => issueId));
      const lost = asked.flatMap(([id, key]) => (there.has(id) ? [] : { id, key }));
      const now = [...shown.current.values()].map(({ id, key }) => ({ id, key }));
      watched.current = new Map([...now, ...lost].map(({ id, key }) => [id, key]));
      return { lost, held };
    },
    refetchInterval: LOOK,
    // The list says what is wrong.
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

/** The same object where nothing is new: its rows need no second rendering. */
function withPermissions(issue: AssignedIssue, now: AssignedIssue['permissions'] | undefined): AssignedIssue {
  const old: Record<string, boolean> = issue.permissions;
  const same = !now || Object.entries(now).every(([name, held]) => old[name] === held);
  return same ? issue : { ...issue, permissions: now };
}
