import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { findPeople } from '../../../client/tracker/people.ts';
import { complete as words } from '../../../domain/messages.ts';
import { type Person, ruleAuthor } from '../../../domain/person.ts';
import { profilePath } from '../../../domain/user.ts';
import type { CheckboxRow } from '../../../text/types.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { Popover } from '../../kit/popover.tsx';
import type { RowActions } from '../../model/checklist/use-actions.ts';
import { useUsers } from '../../model/people.ts';
import { TrackerLink } from '../../shell/navigation/links.tsx';
import { useBridge, useTrack, useUser } from '../../shell/services/services.ts';

/** Milliseconds without a key before a search. */
const DEBOUNCE = 150;
/** The number of people of this page listed before anything is typed. */
const NEAR = 5;

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
  person?: Person;
}

/** A search result: `undefined` while pending. */
type Found = readonly Person[] | 'failed' | undefined;

function useFound(query: string): Found {
  const bridge = useBridge();
  const users = useUsers();
  const [answer, setAnswer] = useState<{ query: string; found: Found }>({ query: '', found: [] });
  useEffect(() => {
    if (query === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findPeople(bridge, query, abort.signal).then(
        found => {
          users.learn(found);
          if (!abort.signal.aborted) setAnswer({ query, found });
        },
        () => abort.signal.aborted || setAnswer({ query, found: 'failed' }),
      );
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [bridge, users, query]);
  return query === '' ? [] : answer.query === query ? answer.found : undefined;
}

/** A combobox to assign items to a person or to the user, or to unassign them. */
export function Assignee({ rows, name, actions, onClose }: Props) {
  const [first] = rows;
  /** The common assignee. */
  const held = rows.every(({ assignee }) => assignee === first?.assignee) ? first?.assignee : undefined;
  const users = useUsers();
  const track = useTrack();
  const me = useUser();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  useEffect(() => input.current?.focus(), []);
  const query = typed.trim();
  const found = useFound(query);
  const near = [...users.get().values()].filter(
    person => person !== null && person.accountId !== me.id && !ruleAuthor(person.accountId),
  );
  const people = query === '' ? near.slice(0, NEAR) : found === 'failed' ? [] : (found ?? []);
  const fixed: Option[] =
    query === ''
      ? [
          ...(me.isAnonymous || held === me.id ? [] : [{ accountId: me.id, label: 'Assign to me' }]),
          ...(rows.some(({ assignee }) => assignee !== undefined)
            ? [{ accountId: undefined, label: 'Unassigned' }]
            : []),
        ]
      : [];
  const options: Option[] = [
    ...fixed,
    ...people.flatMap(person => (person ? { accountId: person.accountId, label: person.name, person } : [])),
  ];
  const chosen = Math.min(at, options.length - 1);
  const note =
    found === 'failed'
      ? words.peopleFailed
      : found === undefined
        ? words.searching
        : query !== '' && options.length === 0
          ? words.noPeople(query)
          : '';

  const pick = ({ accountId }: Option) => {
    onClose(true);
    if (accountId !== undefined) track('Assignee selected in checklist');
    const others = rows.filter(({ assignee }) => assignee !== accountId);
    if (others.length > 0) actions.assign(others, accountId);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const option = options[chosen];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const step = key === 'ArrowDown' ? 1 : -1;
      if (options.length > 0) setAt((chosen + step + options.length) % options.length);
    } else if (key === 'Enter') {
      if (option) pick(option);
    } else return;
    event.preventDefault();
  };
  return (
    <Popover label={`Assignee of ${name}`} onClose={onClose}>
      <input
        ref={input}
        className="check-pick-input"
        role="combobox"
        aria-label="Find a person"
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        placeholder="Find a person"
        value={typed}
        onChange={event => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id={id} role="listbox" aria-label="People" className="check-pick-list">
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and references the option.
          <div
            key={option.accountId ?? ''}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="check-pick-option"
            onPointerMove={() => setAt(index)}
            onMouseDown={event => event.preventDefault()}
            onClick={() => pick(option)}
          >
            {option.person ? <Avatar picture={option.person.avatar} name={option.label} /> : null}
            <span dir="auto">{option.label}</span>
          </div>
        ))}
      </div>
      <p className="check-pick-note" role="status">
        {note}
      </p>
      {held === undefined ? null : (
        <p className="check-pick-note">
          <TrackerLink path={profilePath(held)}>View profile</TrackerLink>
        </p>
      )}
    </Popover>
  );
}
