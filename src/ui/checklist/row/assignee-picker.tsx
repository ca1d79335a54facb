import CheckIcon from '@atlaskit/icon/core/check-mark';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import type { HostBridge } from '../../../bridge/bridge.ts';
import { createStore } from '../../../client/store.ts';
import { getIssue } from '../../../client/tracker/issues.ts';
import { findPeople } from '../../../client/tracker/people.ts';
import { USER_PICKER_AVATAR } from '../../../domain/constants.ts';
import { complete as words } from '../../../domain/messages.ts';
import { appAuthor, type Person, unknownPerson } from '../../../domain/person.ts';
import { readAs } from '../../../domain/shape.ts';
import { profilePath } from '../../../domain/user.ts';
import type { CheckboxRow } from '../../../text/types.ts';
import { PickInput, PickOption, useSearchedList } from '../../kit/pick-list.tsx';
import { Popover } from '../../kit/popover.tsx';
import { useDebounced } from '../../kit/use-debounced.ts';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { Avatar, usePeople, useUsers } from '../../model/people.tsx';
import { createRecentPeople } from '../../model/preferences.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useBridge, useServices, useTrack, useUser } from '../../shell/services/services.ts';

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
  const peopleOfIssue = createStore<ReadonlyMap<string, IssuePeople>>(new Map());
  return {
    ...peopleOfIssue,
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
      peopleOfIssue.set(new Map(peopleOfIssue.get()).set(issueId, people));
    },
  };
}

interface Suggestion {
  person: Person;
  /** The person's role on the issue: “Reporter”. */
  note?: string | undefined;
}

/** People are suggested because they were chosen recently or occur on this page. */
const MAX_SUGGESTED_PEOPLE = 5;

const noPeople: IssuePeople = {};

/**
 * The people offered before anything is typed: the issue's reporter and assignee, recent people, people on this page.
 */
function useSuggestedPeople(issueId: string): Suggestion[] {
  const { once } = useServices();
  const me = useUser();
  const issues = once(createIssuePeople);
  const recent = once(createRecentPeople);
  const ids = useSyncExternalStore(recent.subscribe, recent.get);
  const users = usePeople(ids);
  const issuePeople = useSyncExternalStore(issues.subscribe, issues.get).get(issueId) ?? noPeople;
  useEffect(() => {
    const abort = new AbortController();
    void issues.request(issueId, abort.signal);
    return () => abort.abort();
  }, [issues, issueId]);
  const { reporter, assignee } = issuePeople;
  const isBoth = reporter !== undefined && reporter.accountId === assignee?.accountId;
  const ofIssue: Suggestion[] = [
    ...(reporter ? [{ person: reporter, note: isBoth ? 'Reporter and assignee' : 'Reporter' }] : []),
    ...(assignee && !isBoth ? [{ person: assignee, note: 'Assignee' }] : []),
  ];
  const listed = new Set([me.id, ...ofIssue.map(({ person }) => person.accountId)]);
  const otherPeople = [...ids.flatMap(id => users.get(id) ?? []), ...users.values()].flatMap(person => {
    if (person === null || listed.has(person.accountId) || appAuthor(person.accountId)) return [];
    listed.add(person.accountId);
    return { person, note: ids.includes(person.accountId) ? 'Recent' : undefined };
  });
  return [...ofIssue, ...otherPeople.slice(0, MAX_SUGGESTED_PEOPLE)];
}

/** Remembers a person whom the user chose. */
function useRecentPeople(): (accountId: string) => void {
  const { once } = useServices();
  return once(createRecentPeople).use;
}

const SEARCH_DEBOUNCE_MS = 150;

interface Props {
  /** The items to assign. */
  rows: readonly CheckboxRow[];
  name: string;
  actions: RowActions;
  onClose(withFocus: boolean): void;
}

interface Option {
  /** `undefined` unassigns. */
  accountId: string | undefined;
  label: string;
  /** Shown behind the label. */
  note?: string | undefined;
  avatar?: string | undefined;
  /** The current assignee. */
  held?: boolean;
}

const keyOf = ({ accountId }: Option) => accountId ?? '';

/** A search result: `undefined` while pending. */
type Found = readonly Person[] | 'failed' | undefined;

function useFound(query: string): Found {
  const bridge = useBridge();
  const users = useUsers();
  const [answer, setAnswer] = useState<{ query: string; found: Found }>({ query: '', found: [] });
  const settled = useDebounced(query, SEARCH_DEBOUNCE_MS);
  useEffect(() => {
    if (settled === '') return undefined;
    const abort = new AbortController();
    findPeople(bridge, settled, abort.signal).then(
      found => {
        users.learn(found);
        if (!abort.signal.aborted) setAnswer({ query: settled, found });
      },
      () => abort.signal.aborted || setAnswer({ query: settled, found: 'failed' }),
    );
    return () => abort.abort();
  }, [bridge, users, settled]);
  return query === '' ? [] : answer.query === query ? answer.found : undefined;
}

/** The people in the order of the list, the current assignee first. */
function optionsOf(people: readonly Suggestion[], held: Person | undefined): Option[] {
  return people
    .map(({ person: { accountId, name, avatar }, note }) => ({
      ...{ accountId, label: name, avatar, held: accountId === held?.accountId },
      note: accountId === held?.accountId ? 'Assigned' : note,
    }))
    .sort((a, b) => Number(b.held) - Number(a.held));
}

/** A combobox to assign items to a person or to the user, or to unassign them. */
export function Assignee({ rows, name: what, actions, onClose }: Props) {
  const [first] = rows;
  /** The common assignee. */
  const commonAssignee = rows.every(({ assignee }) => assignee === first?.assignee) ? first?.assignee : undefined;
  const me = useUser();
  const ownId = me.isAnonymous ? undefined : me.id;
  const knownPeople = usePeople(
    useMemo(() => [commonAssignee, ownId].filter(id => id !== undefined), [commonAssignee, ownId]),
  );
  const track = useTrack();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const searchedPeople = useFound(query);
  const suggested = useSuggestedPeople(actions.issueId);
  const remember = useRecentPeople();
  const person = commonAssignee === undefined ? undefined : knownPeople.get(commonAssignee);
  const name = commonAssignee === me.id ? me.name : person === null ? unknownPerson : '…';
  const currentPerson =
    commonAssignee === undefined ? undefined : (person ?? { accountId: commonAssignee, name, avatar: '' });
  const myself: Option = { accountId: me.id, label: 'Assign to me', avatar: knownPeople.get(me.id)?.avatar };
  const isMine = commonAssignee === me.id;
  const start = (): Option[] => [
    ...(currentPerson ? optionsOf([{ person: currentPerson }], currentPerson) : []),
    ...(me.isAnonymous || isMine ? [] : [myself]),
    ...(rows.some(({ assignee }) => assignee !== undefined) ? [{ accountId: undefined, label: 'Unassigned' }] : []),
    ...optionsOf(suggested, currentPerson).filter(
      ({ accountId }) => accountId !== commonAssignee && accountId !== me.id,
    ),
  ];
  const results = searchedPeople === 'failed' ? [] : (searchedPeople ?? []);
  const options =
    query === ''
      ? start()
      : optionsOf(
          results.map(person => ({ person })),
          currentPerson,
        );
  const note =
    searchedPeople === 'failed'
      ? words.peopleFailed
      : searchedPeople === undefined
        ? words.searching
        : query !== '' && options.length === 0
          ? words.noPeople(query)
          : '';

  const pick = ({ accountId }: Option) => {
    onClose(true);
    if (accountId !== undefined) track('Assignee selected in checklist');
    if (accountId !== undefined && accountId !== me.id) remember(accountId);
    const changedItems = rows.filter(({ assignee }) => assignee !== accountId);
    if (changedItems.length > 0) actions.assign(changedItems, accountId);
  };
  const searched = useSearchedList({ options, keyOf, onSearch: setTyped, onPick: pick });
  return (
    <Popover label={`Assignee of ${what}`} onClose={onClose}>
      <PickInput label="Find a person" value={typed} {...searched.field} />
      <div {...searched.list} role="listbox" aria-label="People" className="check-pick-list">
        {options.map((option, index) => (
          <PickOption key={keyOf(option)} {...searched.optionAt(index)}>
            {option.accountId === undefined ? (
              <span className="avatar" aria-hidden="true" />
            ) : (
              <Avatar picture={option.avatar} name={option.accountId === me.id ? me.name : option.label} />
            )}
            <span dir="auto">{option.label}</span>{' '}
            {option.note === undefined ? null : <span className="check-pick-why">{option.note}</span>}
            {option.held ? <CheckIcon label="" /> : null}
          </PickOption>
        ))}
      </div>
      <p className="check-pick-note" role="status">
        {note}
      </p>
      {commonAssignee === undefined ? null : (
        <p className="check-pick-note">
          <TrackerLink path={profilePath(commonAssignee)}>View profile</TrackerLink>
        </p>
      )}
    </Popover>
  );
}
