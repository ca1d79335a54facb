import { useEffect, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { createStore } from '../../../client/store.ts';
import { getIssue } from '../../../client/tracker/issues.ts';
import { USER_PICKER_AVATAR } from '../../../domain/constants.ts';
import { appAuthor, type Person } from '../../../domain/person.ts';
import { readAs } from '../../../domain/shape.ts';
import { usePeople } from '../../model/people.tsx';
import { createRecentPeople } from '../../model/preferences.ts';
import { useServices, useUser } from '../../shell/services/services.ts';

/** A user who can be assigned: no app, no portal customer. */
const userShape = v.pipe(
  v.object({
    accountId: v.string(),
    displayName: v.string(),
    accountType: v.optional(v.literal('atlassian')),
    avatarUrls: v.optional(v.record(v.string(), v.string())),
  }),
  v.transform(
    ({ accountId, displayName: name, avatarUrls }): Person => ({
      ...{ accountId, name, avatar: avatarUrls?.[USER_PICKER_AVATAR] ?? '' },
    }),
  ),
);

/** An issue's people, by their field. */
const fields = ['reporter', 'assignee'] as const;
type IssuePeople = Partial<Record<(typeof fields)[number], Person>>;

/** The people of issues: asked for as the user each time, what was known before is there at once. */
function createIssuePeople(bridge: HostBridge) {
  const known = createStore<ReadonlyMap<string, IssuePeople>>(new Map());
  return {
    ...known,
    /** Resolves in any case: without an answer none is suggested. */
    request: async (issueId: string, signal: AbortSignal) => {
      const issue = await getIssue(bridge, issueId, fields, signal).catch(() => undefined);
      if (!issue) return;
      const people = Object.fromEntries(
        fields.flatMap(field => {
          const person = readAs(userShape, issue.fields?.[field]);
          return person ? [[field, person]] : [];
        }),
      );
      known.set(new Map(known.get()).set(issueId, people));
    },
  };
}

export interface Suggestion {
  person: Person;
  /** Why: “Reporter”. */
  note?: string | undefined;
}

/** The most people who are suggested because they were chosen lately or occur on this page. */
const MOST = 5;

const noPeople: IssuePeople = {};

/** The people to assign before anything is typed: the issue's reporter and assignee, recent ones, those on this page. */
export function useSuggestedPeople(issueId: string): Suggestion[] {
  const { once } = useServices();
  const me = useUser();
  const issues = once(createIssuePeople);
  const recent = once(createRecentPeople);
  const ids = useSyncExternalStore(recent.subscribe, recent.get);
  const users = usePeople(ids);
  const known = useSyncExternalStore(issues.subscribe, issues.get).get(issueId) ?? noPeople;
  useEffect(() => {
    const abort = new AbortController();
    void issues.request(issueId, abort.signal);
    return () => abort.abort();
  }, [issues, issueId]);
  const { reporter, assignee } = known;
  const isBoth = reporter !== undefined && reporter.accountId === assignee?.accountId;
  const ofIssue: Suggestion[] = [
    ...(reporter ? [{ person: reporter, note: isBoth ? 'Reporter and assignee' : 'Reporter' }] : []),
    ...(assignee && !isBoth ? [{ person: assignee, note: 'Assignee' }] : []),
  ];
  const listed = new Set([me.id, ...ofIssue.map(({ person }) => person.accountId)]);
  const others = [...ids.flatMap(id => users.get(id) ?? []), ...users.values()].flatMap(person => {
    if (person === null || listed.has(person.accountId) || appAuthor(person.accountId)) return [];
    listed.add(person.accountId);
    return { person, note: ids.includes(person.accountId) ? 'Recent' : undefined };
  });
  return [...ofIssue, ...others.slice(0, MOST)];
}

/** Remembers a person whom the user chose. */
export function useRecentPeople(): (accountId: string) => void {
  const { once } = useServices();
  return once(createRecentPeople).use;
}
