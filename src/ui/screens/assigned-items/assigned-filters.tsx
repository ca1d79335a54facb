import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AssignedCounts } from '../../../client/assigned.ts';
import { findPeople } from '../../../client/tracker/people.ts';
import { MAX_SEARCH_CHARS } from '../../../domain/constants.ts';
import { complete } from '../../../domain/messages.ts';
import { appAuthor, unknownPerson } from '../../../domain/person.ts';
import { Combobox } from '../../kit/form/combobox.tsx';
import { Select, TextInput } from '../../kit/form/form.tsx';
import { useDebounced, useSearchField } from '../../kit/use-debounced.ts';
import { Avatar, usePeople, useUsers } from '../../model/people.tsx';
import { useBridge } from '../../shell/services/services.ts';
import type { AssignedView, Who } from './use-assigned.ts';

const SEARCH_DEBOUNCE_MS = 150;

interface Props {
  view: AssignedView;
  counts: AssignedCounts | undefined;
  /** The counted projects' names by id. */
  projectNames: ReadonlyMap<string, string> | undefined;
  /** The only project, on its page. */
  projectId: string | undefined;
  onView(view: AssignedView): void;
}

/** The kinds of `Who` as options; one person is chosen in a field of its own. */
const people = (inProject: boolean): { value: Who['kind']; words: string }[] => [
  { value: 'ME', words: 'Assigned to me' },
  { value: 'BY_ME', words: 'Assigned by me' },
  inProject
    ? { value: 'PROJECT', words: 'Everyone in this project' }
    : { value: 'MY_PROJECTS', words: 'Everyone in my projects' },
  { value: 'PERSON', words: 'One person' },
];

const orders = [
  { value: 'ISSUE', words: 'By issue' },
  { value: 'DUE', words: 'By due date' },
] as const;

/** The prefix of option values for a status by slug; slugs contain no colon. */
const STATUS_PREFIX = 'status:';

function statusOptions({ status }: AssignedView, counts: AssignedCounts | undefined) {
  const knownStatuses = counts?.statuses ?? [];
  const chosen =
    typeof status === 'object' && !knownStatuses.some(({ slug }) => slug === status.slug) ? [status.slug] : [];
  return [
    { value: 'open', words: 'Open' },
    { value: 'checked', words: 'Completed' },
    { value: 'all', words: 'Open and completed' },
    ...knownStatuses.map(({ slug, name, count }) => ({
      value: STATUS_PREFIX + slug,
      words: `${name} (${count ?? 0})`,
    })),
    ...chosen.map(slug => ({ value: STATUS_PREFIX + slug, words: slug })),
  ];
}

function projectOptions(
  { project }: AssignedView,
  counts: AssignedCounts | undefined,
  names: ReadonlyMap<string, string> | undefined,
) {
  const knownProjects = counts?.projects ?? [];
  const gone = project !== '' && !knownProjects.some(({ id }) => id === project);
  return [
    { value: '', words: 'All projects' },
    ...knownProjects.flatMap(({ id, count }) => {
      const name = names?.get(id);
      // A project whose name is unknown is not offered, unless it is chosen.
      return name === undefined && id !== project ? [] : [{ value: id, words: `${name ?? 'This project'} (${count})` }];
    }),
    // The chosen project has no items with the other filters.
    ...(gone ? [{ value: project, words: 'This project (0)' }] : []),
  ];
}

const statusFrom = (value: string): AssignedView['status'] =>
  value === 'open' || value === 'checked' || value === 'all' ? value : { slug: value.slice(STATUS_PREFIX.length) };

/** Filters and order of the items. */
export function AssignedFilters({ view, counts, projectNames, projectId, onView }: Props) {
  const [typed, setTyped] = useSearchField(view.text, SEARCH_DEBOUNCE_MS, text => onView({ ...view, text }));
  /** Whether the user is choosing a person. */
  const [choosing, setChoosing] = useState(false);
  const { who, status, overdue } = view;
  const setWho = (next: Who) => onView({ ...view, who: next });
  return (
    <div className="assigned-filters">
      <Select
        label="Show"
        value={choosing ? 'PERSON' : who.kind}
        options={people(projectId !== undefined)}
        onChange={kind => {
          setChoosing(kind === 'PERSON');
          if (kind === 'PROJECT') setWho({ kind, id: projectId ?? '' });
          else if (kind !== 'PERSON') setWho({ kind });
        }}
      />
      {choosing || who.kind === 'PERSON' ? (
        <PersonField
          accountId={who.kind === 'PERSON' ? who.id : undefined}
          onChoose={id => {
            setChoosing(false);
            setWho({ kind: 'PERSON', id });
          }}
        />
      ) : null}
      <TextInput label="Search" value={typed} maxLength={MAX_SEARCH_CHARS} onChange={setTyped} />
      <Select
        label="Status"
        value={typeof status === 'object' ? STATUS_PREFIX + status.slug : status}
        options={statusOptions(view, counts)}
        onChange={value => onView({ ...view, status: statusFrom(value) })}
      />
      {projectId === undefined ? (
        <Select
          label="Project"
          value={view.project}
          options={projectOptions(view, counts, projectNames)}
          onChange={project => onView({ ...view, project })}
        />
      ) : null}
      <Select
        label="Group"
        value={view.order}
        options={orders}
        onChange={(order: AssignedView['order']) => onView({ ...view, order })}
      />
      <button
        type="button"
        className="check-tool"
        aria-pressed={overdue}
        onClick={() => onView({ ...view, overdue: !overdue })}
      >
        Overdue{counts ? ` (${counts.overdue})` : ''}
      </button>
    </div>
  );
}

/** Known people are offered before anything is typed. */
const MAX_NEAR_PEOPLE = 8;

/** A field to choose a person: one of this page's people, or by search. */
function PersonField({ accountId, onChoose }: { accountId: string | undefined; onChoose(accountId: string): void }) {
  const bridge = useBridge();
  const users = useUsers();
  const ids = useMemo(() => (accountId === undefined ? [] : [accountId]), [accountId]);
  const chosen = usePeople(ids).get(accountId ?? '');
  const [typed, setTyped] = useState('');
  const query = useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS);
  const { data, isError, isFetching } = useQuery({
    queryKey: ['people', query],
    queryFn: async ({ signal }) => {
      const foundPeople = await findPeople(bridge, query, signal);
      users.learn(foundPeople);
      return foundPeople;
    },
    enabled: query !== '',
    meta: { silent: true },
  });
  const near = [...users.get().values()]
    .filter(person => person && !appAuthor(person.accountId))
    .slice(0, MAX_NEAR_PEOPLE);
  const offeredPeople = query === '' ? near : (data ?? []);
  const isSearching = isFetching || query !== typed.trim();
  const note = isError
    ? complete.peopleFailed
    : isSearching
      ? complete.searching
      : query !== '' && offeredPeople.length === 0
        ? complete.noPeople(query)
        : '';
  return (
    <Combobox
      label="Person"
      placeholder="Find a person"
      chosen={accountId === undefined ? '' : chosen === null ? unknownPerson : (chosen?.name ?? '…')}
      options={offeredPeople.flatMap(person =>
        person
          ? {
              value: person.accountId,
              words: person.name,
              picture: <Avatar picture={person.avatar} name={person.name} />,
            }
          : [],
      )}
      note={note}
      onType={setTyped}
      onChoose={({ value }) => onChoose(value)}
    />
  );
}
