import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { UserConflict } from '../../../client/checklist.ts';
import { getEditors } from '../../../client/live/editors.ts';
import { isSameConflict, isSameValue } from '../../../client/outbox/saved-values.ts';
import { getPeople } from '../../../client/tracker/people.ts';
import type { ChecklistEdit } from '../../../domain/change.ts';
import { conflicts as words } from '../../../domain/messages.ts';
import { rowHash } from '../../../domain/row-hash.ts';
import { textWithWords } from '../../../text/edits/assign.ts';
import { nameIn } from '../../../text/export/person.ts';
import { withoutMarks } from '../../../text/merge/details.ts';
import { valueWords } from '../../../text/merge/words.ts';
import { targetOf } from '../../../text/rows.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import { findAuthor } from '../../model/checklist/conflict-author.ts';
import { isEqualValue, valueAt, valueNow } from '../../model/checklist/conflict-text.ts';
import OverwrittenValues from '../../model/checklist/overwritten-values.tsx';
import { Avatar, useKnownNames, usePeople } from '../../model/people.tsx';
import { nameOf } from '../../model/rows/row-segments.ts';
import { useCover } from '../../shell/navigation/dialogs.tsx';
import { useGraphql, useServices, useUser } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';
import { concernsOthers, useThrottle } from '../../text-editor/collaboration/use-collaborators.ts';
import type { UsedChecklist } from '../checklist-view.tsx';
import { focusRow } from '../list/list-dom.ts';
import { lostWords, useLostField } from './lost-field.ts';
import { useReturnedRows } from './returned-rows.ts';
import { useWaitingDrafts } from './waiting-drafts.tsx';
import './row-notes.css';

/** Names by account id, `You` for the user; requests those that are not loaded. */
function useNames(accounts: readonly string[]): (account: string | undefined) => string {
  const people = usePeople(accounts);
  const { id: me } = useUser();
  return account =>
    account === me ? words.self : ((account === undefined ? undefined : people.get(account)?.name) ?? words.unnamed);
}

interface ChoiceProps {
  what: string;
  mine: string;
  theirs: string;
  onMine(row: HTMLElement | null): void;
  onTheirs(row: HTMLElement | null): void;
}

/** Two values for one attribute of a row, and which of them to take; as below a row of the text editor. */
function Choice({ what, mine, theirs, onMine, onTheirs }: ChoiceProps) {
  const side = (whose: string, value: string, label: string, choose: ChoiceProps['onMine']) => (
    <span className="check-conflict-side">
      <span className="check-conflict-whose">{whose}:</span>
      <span className="check-conflict-value" dir="auto">
        {value}
      </span>
      <button
        type="button"
        className="button button-default check-conflict-button"
        aria-label={`${label}: ${value}`}
        onClick={({ currentTarget }) => choose(currentTarget.closest('li'))}
      >
        {label}
      </button>
    </span>
  );
  return (
    <fieldset className="check-conflict" aria-label={what} onMouseDown={event => event.preventDefault()}>
      <span className="check-conflict-title">{what}</span>
      {side('Mine', mine, 'Keep mine', onMine)}
      {side('Theirs', theirs, 'Take theirs', onTheirs)}
    </fieldset>
  );
}

/**
 * Returns a getter of the account that made the latest remote change, while mounted; unknown where events do not arrive, and
 * where it may be the user's own change in another tab.
 */
export function useLastAuthor(issueId: string | undefined): () => string | undefined {
  const { id: me } = useUser();
  const last = useRef<string>(undefined);
  useLive({ ...(issueId !== undefined && { issue: issueId }) }, event => {
    if (event.kind !== 'checklist' || event.issue !== issueId) return;
    const [author, ...more] = event.by ?? [];
    last.current = author === me || more.length > 0 ? undefined : author;
  });
  return () => last.current;
}

const noAccounts: readonly string[] = [];

interface RemoteRewordingProps {
  /** The latest remote change of the edited text. */
  remote: { text: string; by: string | undefined; choice: boolean } | undefined;
  part: 'text' | 'details';
  /** The typed text, where there is a choice. */
  mine: string;
  onMine(): void;
  onTheirs(): void;
}

/** Says below a row's field that another user changed the row, with a choice where both cannot be joined. */
export function RemoteRewording({ remote, part, mine, onMine, onTheirs }: RemoteRewordingProps) {
  const names = useKnownNames();
  const by = remote?.by;
  const nameFor = useNames(useMemo(() => (by === undefined ? noAccounts : [by]), [by]));
  const value = (text: string) => valueWords('text', text, nameIn(names()));
  const said = remote && words.changedTo(nameFor(by), part, value(remote.text));
  return (
    <>
      <p className="check-remote" role="status">
        {said}
      </p>
      {remote?.choice ? (
        <Choice
          what={words.sameAttribute(nameFor(by), words.attributes[part])}
          mine={value(mine)}
          theirs={value(remote.text)}
          onMine={onMine}
          onTheirs={onTheirs}
        />
      ) : null}
    </>
  );
}

/** Which rows other users edit, by index. */
function useRowEditors(issueId: string, { rows }: Checklist): ReadonlyMap<number, readonly string[]> {
  const graphql = useGraphql();
  const [editors, setEditors] = useState<readonly { account: string; row: number | null; mark: string | null }[]>([]);
  const { id: me } = useUser();
  const isCovered = useCover() !== undefined;
  const throttle = useThrottle();
  // A failed request shows no editors; the next event repeats it.
  const load = useCallback(
    () =>
      throttle.run(() =>
        graphql.query(getEditors, { subjectId: issueId }).then(
          ({ editors }) => setEditors(now => (editors.length === 0 && now.length === 0 ? now : editors)),
          () => undefined,
        ),
      ),
    [graphql, throttle, issueId],
  );
  const isConnected = useLive({ issue: issueId }, event => {
    if (!isCovered && concernsOthers(event, me)) load();
  });
  const isEmpty = editors.length === 0;
  useEffect(() => {
    if (isCovered) return undefined;
    load();
    // Without events the editors are polled; those whose page is gone expire without an event.
    if (isConnected && isEmpty) return undefined;
    const timer = setInterval(load, isConnected ? EXPIRY : POLL);
    return () => clearInterval(timer);
  }, [load, isCovered, isConnected, isEmpty]);
  return useMemo(() => {
    const found = new Map<number, readonly string[]>();
    for (const { account, row, mark } of editors) {
      if (row === null) continue;
      const isHere = (index: number) => rowHash(rows[index]?.text ?? '') === mark;
      const index = rows[row] && isHere(row) ? row : rows.findIndex((_, at) => isHere(at));
      if (index >= 0) found.set(index, [...(found.get(index) ?? []), account]);
    }
    return found;
  }, [editors, rows]);
}

/** Milliseconds between two requests for the editors: those of others' crashed pages, and where no events arrive. */
const EXPIRY = 60_000;
const POLL = 15_000;

/** A conflict at a row. */
interface Placed {
  conflict: UserConflict;
  attribute: Chosen;
  /** The row as it was when the conflict was found, and its key once that is known. */
  row: Row;
  key: number | undefined;
  /** The other author's account, once it is known. */
  by: string | undefined;
}

/** The attributes that conflicts offer a choice for; of other values a notification says whose is kept. */
type Chosen = 'text' | 'details';
const isChosen = (attribute: string): attribute is Chosen => attribute === 'text' || attribute === 'details';

/** The change that gives a row one side's value. */
function editFor(checklist: Checklist, index: number, attribute: Chosen, value: string): ChecklistEdit | undefined {
  const row = checklist.rows[index];
  if (!row) return undefined;
  const values =
    attribute === 'details'
      ? { details: withoutMarks(value) }
      : { text: textWithWords(row, value, checklist.statuses) };
  return { kind: 'updateChecklistItem', target: targetOf(checklist, index), values };
}

/** Conflicts that wait for the user's choice, each at a row of its own. */
function useConflicts({ store, keys }: UsedChecklist, { rows }: Checklist, say: (text: string) => void) {
  const { bridge, graphql } = useServices();
  const { id: me } = useUser();
  const [placed, setPlaced] = useState<readonly Placed[]>([]);
  const announce = useEffectEvent(say);
  /** Conflicts that are placed with the next rendering. */
  const entering = useRef<readonly UserConflict[]>([]);
  const isPlaced = useEffectEvent((conflict: UserConflict) =>
    [...entering.current, ...placed.map(each => each.conflict)].some(each => isSameConflict(each, conflict)),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are placed now
  useEffect(() => {
    entering.current = [];
  }, [placed]);
  useEffect(() => {
    const view = store.conflictView;
    const place = (conflict: UserConflict): Placed | undefined => {
      const { attribute, stored } = conflict;
      if (!isChosen(attribute)) return undefined;
      const now = valueNow(store.get(), conflict);
      // If the row has another value by now, there is a notification, too.
      if (!now || !isEqualValue(attribute, now.value, conflict[stored])) return undefined;
      return { conflict, attribute, row: now.row, key: undefined, by: conflict.by };
    };
    const nameAuthor = async (conflict: UserConflict): Promise<string | undefined> => {
      const by = conflict.by ?? (await findAuthor(graphql, store.issueId, conflict));
      if (by === undefined || conflict.by !== undefined) return by;
      setPlaced(now => now.map(each => (each.conflict === conflict ? { ...each, by } : each)));
      // For the message about what that author chooses.
      store.savedValues()?.nameAuthor(conflict, by);
      return by;
    };
    const announceChoice = async ({ attribute, row }: Placed, author: Promise<string | undefined>) => {
      const by = await author;
      // Without an answer the author stays unnamed.
      const person = by === undefined || by === me ? undefined : new Map(await getPeople(bridge, [by])).get(by);
      const name = by === me ? words.self : (person?.name ?? words.unnamed);
      announce(words.chooseBelow(name, words.attributes[attribute], nameOf(row)));
    };
    view.show = found => {
      const unknown = found.filter(conflict => !isPlaced(conflict));
      const fresh = unknown.flatMap(conflict => place(conflict) ?? []);
      entering.current = fresh.map(({ conflict }) => conflict);
      const [first] = fresh;
      if (first) {
        // The newest conflict of an attribute has the current value of the other side.
        const isOld = (each: Placed) => fresh.some(other => isSameValue(other.conflict, each.conflict));
        setPlaced(now => [...now.filter(each => !isOld(each)), ...fresh]);
      }
      for (const each of fresh) {
        const author = nameAuthor(each.conflict).catch(() => undefined);
        if (each === first) void announceChoice(each, author);
      }
      return unknown.filter(conflict => !fresh.some(each => each.conflict === conflict));
    };
    return () => {
      view.show = undefined;
    };
  }, [store, bridge, graphql, me]);
  const isCovered = useCover() !== undefined;
  useEffect(() => {
    if (isCovered) return undefined;
    // The user may have decided in the dialog, or in another tab.
    const removeDecided = () => {
      const open = store.savedValues()?.conflicts();
      if (open) setPlaced(now => now.filter(({ conflict }) => open.some(each => isSameValue(each, conflict))));
    };
    removeDecided();
    window.addEventListener('storage', removeDecided);
    return () => window.removeEventListener('storage', removeDecided);
  }, [store, isCovered]);
  // A row that changes later keeps its key, which its object does not.
  const known = placed.map(each => {
    const key = each.key ?? keys[rows.indexOf(each.row)];
    return key === each.key ? each : { ...each, key };
  });
  if (known.some((each, at) => each !== placed[at])) setPlaced(known);
  const settle = (conflict: UserConflict) => {
    setPlaced(now => now.filter(each => each.conflict !== conflict));
    store.savedValues()?.settleConflicts([conflict]);
  };
  return { placed, settle };
}

/** The notes below rows, by the rows' keys. */
export type Notes = ReadonlyMap<number, ReactNode>;
export const noNotes: Notes = new Map();

interface Props {
  used: UsedChecklist;
  model: Checklist;
  say(words: string): void;
  /** Receives the notes whenever they change; `noNotes` while there are none. */
  onNotes(notes: Notes): void;
}

/**
 * Who edits which row, conflicts at their rows, until the user chooses or the value changes, and a deleted row whose field
 * was open. The list puts the notes below its rows; renders itself only what has no row.
 */
export default function RowNotes({ used, model, say, onNotes }: Props) {
  const { store, keys, actions } = used;
  const editors = useRowEditors(store.issueId, model);
  const { placed, settle } = useConflicts(used, model, say);
  useReturnedRows(used, useLastAuthor(store.issueId));
  const lost = useLostField(used, model);
  const drafts = useWaitingDrafts(store.issueId, model, keys, say, {
    list: used.list,
    focusElsewhere: () => used.input.current?.(),
  });
  const accounts = useMemo(
    () => [
      ...[...editors.values()].flat(),
      ...placed.flatMap(({ by }) => by ?? []),
      ...(lost?.lost.by === undefined ? [] : [lost.lost.by]),
    ],
    [editors, placed, lost],
  );
  const nameFor = useNames(accounts);
  const people = usePeople(accounts);
  const names = useKnownNames();

  const resolve = ({ conflict, attribute, key }: Placed, side: 'mine' | 'theirs', row: HTMLElement | null) => {
    focusRow(row);
    settle(conflict);
    const latest = store.get()?.model;
    const now = key === undefined ? undefined : model.rows[keys.indexOf(key)];
    const index = (now && latest?.rows.indexOf(now)) ?? -1;
    if (conflict.stored === side || !latest || !now || index < 0) return;
    const edit = editFor(latest, index, attribute, conflict[side]);
    if (edit) actions.step(words.chosen(side, nameOf(now)), store.change(edit));
  };

  const why = lost && lostWords(lost.lost, nameFor(lost.lost.by));
  const whyLost = why === undefined ? null : <p className="check-remote check-lost">{why}</p>;
  const announce = useEffectEvent(say);
  useEffect(() => {
    if (why !== undefined) announce(why);
  }, [why]);

  const notes = (): Notes => {
    if (editors.size === 0 && placed.length === 0 && drafts.notes.size === 0 && !whyLost) return noNotes;
    const found = new Map<number, ReactNode>();
    const add = (key: number | undefined, note: ReactNode) => {
      if (key !== undefined)
        found.set(
          key,
          <>
            {found.get(key)}
            {note}
          </>,
        );
    };
    for (const [index, accounts] of editors) {
      const who = accounts.map(nameFor);
      add(
        keys[index],
        <p className="check-editing">
          <Avatar picture={people.get(accounts[0] ?? '')?.avatar} name={who[0]} />
          {words.editing(who)}
        </p>,
      );
    }
    for (const each of placed) {
      const { conflict, attribute, key, by } = each;
      const index = key === undefined ? -1 : keys.indexOf(key);
      if (index < 0 || !isEqualValue(attribute, valueAt(model, index, attribute), conflict[conflict.stored])) continue;
      const value = (text: string) => valueWords(attribute, text, nameIn(names()));
      add(
        key,
        <Choice
          what={words.sameAttribute(nameFor(by), words.attributes[attribute])}
          mine={value(conflict.mine)}
          theirs={value(conflict.theirs)}
          onMine={row => resolve(each, 'mine', row)}
          onTheirs={row => resolve(each, 'theirs', row)}
        />,
      );
    }
    for (const [key, note] of drafts.notes) add(key, note);
    if (whyLost) add(lost?.key, whyLost);
    return found.size === 0 ? noNotes : found;
  };
  const publish = useEffectEvent(() => onNotes(notes()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the notes are made of.
  useEffect(publish, [editors, placed, people, keys, model, lost, drafts.notes]);
  return (
    <>
      {used.view ? <OverwrittenValues store={store} view={used.view} /> : null}
      {drafts.editor}
      {lost?.key === undefined ? whyLost : null}
    </>
  );
}
