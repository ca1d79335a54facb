import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { conflicts } from '../../../domain/messages.ts';
import {
  anchorOf,
  checklistOf,
  positionOf,
  type RemoteChangeNote,
  type RowAnchor,
  setCollaborators,
} from '../../../editor/index.ts';
import type { Checklist } from '../../../text/types.ts';
import { usePeople } from '../../model/people.tsx';
import { useUser } from '../../shell/services/services.ts';
import { useLive } from '../../shell/use-live.ts';
import type { OpenText } from '../saving/open-text.ts';
import { type Collaborator, useCollaborators } from './use-collaborators.ts';
import '../text-editor.css';

interface Options {
  document: OpenText;
  stored(): Checklist;
  editors: readonly Collaborator[];
  nameOf(account: string): string;
  /** Publishes the cursor's row; called whenever it may have changed. */
  onMove(anchor: RowAnchor | undefined): void;
}

/** Checks of the cursor's row are cheap while the cursor stays in the row. */
const POLL_INTERVAL_MS = 500;

/** So many characters of a row's text identify the row. */
const MAX_SHOWN_CHARS = 60;
const short = (text: string) => (text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS - 1)}…` : text);

/** Shows the collaborators' cursors in the text; returns the text of each one's row by account. */
export function useCollaboratorCursors({
  document,
  stored,
  editors,
  nameOf,
  onMove,
}: Options): ReadonlyMap<string, string> {
  const [rows, setRows] = useState<ReadonlyMap<string, string>>(new Map());
  const names = editors.map(({ account }) => nameOf(account)).join('\n');
  const name = useEffectEvent(nameOf);
  const base = useEffectEvent(stored);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names come after the people, and change what shows
  useEffect(() => {
    const { view } = document;
    if (!view) return;
    const checklist = checklistOf(view.state);
    const cursors = editors.flatMap(({ account, anchor }) => {
      const at = anchor && positionOf(base(), checklist, anchor);
      const row = at === undefined ? -1 : checklist.starts.findLastIndex(start => start <= at);
      const text = checklist.rows[row]?.text;
      return at === undefined || text === undefined ? [] : [{ id: account, name: name(account), at, text }];
    });
    view.dispatch(setCollaborators(cursors));
    setRows(new Map(cursors.map(({ id, text }) => [id, short(text)])));
  }, [document, editors, names]);

  const hasCollaborators = editors.length > 0;
  const check = useEffectEvent((last: { head: number; text: unknown } | undefined) => {
    const { view } = document;
    if (!view) return last;
    const { head } = view.state.selection.main;
    const currentPlace = { head: view.state.doc.lineAt(head).from, text: base().text };
    if (last && currentPlace.head === last.head && currentPlace.text === last.text) return last;
    onMove(anchorOf(base(), checklistOf(view.state), head));
    return currentPlace;
  });
  useEffect(() => {
    if (!hasCollaborators) return undefined;
    let last = check(undefined);
    const timer = setInterval(() => {
      last = check(last);
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [hasCollaborators]);
  return rows;
}

interface Props {
  /** The open subject's id (`domain/subjects.ts`). */
  subjectId: string;
  /** Whether this editor may change the text: collaborators see it and its position. */
  editing: boolean;
  document: OpenText;
  /** The stored text, which all editors have in common. */
  stored(): Checklist;
}

/** Who else has this text open, and at which row. Joining and leaving is announced; positions are text only. */
export function Collaborators({ subjectId, editing, document, stored }: Props) {
  const { editors, setPosition } = useCollaborators(subjectId, editing);
  const people = usePeople(editors.map(({ account }) => account));
  const nameOf = (account: string) => people.get(account)?.name ?? 'Someone';
  const rows = useCollaboratorCursors({ document, stored, editors, nameOf, onMove: setPosition });
  const [first, ...more] = editors;
  const positions = editors.flatMap(({ account }) => {
    const row = rows.get(account);
    if (row === undefined) return [];
    return more.length === 0 ? `at “${row}”` : `${nameOf(account)} at “${row}”`;
  });
  return (
    <span className="editor-collaborators">
      <span role="status">
        {first === undefined
          ? null
          : more.length === 0
            ? `${nameOf(first.account)} is also editing`
            : `${nameOf(first.account)} and ${more.length} more are also editing`}
      </span>
      {positions.length > 0 && <span className="editor-positions">{positions.join(', ')}</span>}
    </span>
  );
}

/** A remote change that was merged into the open text. */
export interface RemoteChangeInfo extends RemoteChangeNote {
  /** Accounts of its authors, as far as known. */
  by: readonly string[];
}

/** The time for which a change is shown, longer for one that the user must not miss. */
const DISPLAY_MS = 6_000;
const URGENT_DISPLAY_MS = 60_000;

const isAboutDeletion = ({ kept, returned }: RemoteChangeNote) => kept.length > 0 || returned.length > 0;
/** A row of the user was deleted, or is back. Other changes wait until the user has read that. */
const isUrgent = (note: RemoteChangeNote) => note.isCursorRowDeleted || isAboutDeletion(note);

/** Notes about remote changes, the shown one first. */
export function useChangeNotes() {
  const [notes, setNotes] = useState<readonly RemoteChangeInfo[]>([]);
  /** Of the changes that are not urgent only the newest is shown. */
  const add = useCallback((note: RemoteChangeInfo) => setNotes(now => [...now.filter(isUrgent), note]), []);
  const dismiss = useCallback((note: RemoteChangeInfo) => setNotes(now => now.filter(each => each !== note)), []);
  /** The user has typed: that the cursor's row was deleted is read. */
  const onTyped = useCallback(() => {
    const isOpen = (note: RemoteChangeInfo) => !note.isCursorRowDeleted || isAboutDeletion(note);
    setNotes(now => (now.every(isOpen) ? now : now.filter(isOpen)));
  }, []);
  return { shown: notes[0], add, dismiss, onTyped };
}

const noAccounts: readonly string[] = [];

interface RemoteChangeProps {
  shown: RemoteChangeInfo | undefined;
  onDismiss(note: RemoteChangeInfo): void;
}

/** A short note about remote changes in the open text, removed after a timeout. */
export function RemoteChange({ shown, onDismiss }: RemoteChangeProps) {
  const people = usePeople(shown?.by ?? noAccounts);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => onDismiss(shown), isUrgent(shown) ? URGENT_DISPLAY_MS : DISPLAY_MS);
    return () => clearTimeout(timer);
  }, [shown, onDismiss]);
  const names = shown?.by.flatMap(account => people.get(account)?.name ?? []) ?? [];
  return (
    <div className="editor-remote-change">
      <div className={shown && 'editor-remote-change-note'}>
        <span role="status">{shown && sentence(shown, names)}</span>
        {shown && isUrgent(shown) ? (
          <button
            type="button"
            className="check-send"
            // The text keeps the focus.
            onMouseDown={event => event.preventDefault()}
            onClick={() => onDismiss(shown)}
          >
            Dismiss
          </button>
        ) : null}
      </div>
    </div>
  );
}

function sentence({ rows, isCursorRowDeleted, kept, returned }: RemoteChangeNote, names: readonly string[]): string {
  const what = rows === 1 ? '1 item' : `${rows} items`;
  const last = names.at(-1) ?? '';
  const who = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
  if (kept.length > 0) return conflicts.keptWhileDeleted(who, kept.map(short));
  if (returned.length > 0) return conflicts.broughtBack(who, returned.map(short));
  if (isCursorRowDeleted) return conflicts.cursorRowDeleted(who);
  if (who === '') return `${what} ${rows === 1 ? 'was' : 'were'} changed elsewhere`;
  return `${who} changed ${what}`;
}

/** A live event may belong to a text that is loaded within this time after it. */
const EVENT_WINDOW_MS = 60_000;

/** Notes about remote changes of the open text, and the authors of the next one, both from live events. */
export function useRemoteChanges(issueId: string) {
  const { id: me } = useUser();
  const { add, ...notes } = useChangeNotes();
  const events = useRef<{ by: readonly string[]; at: number }[]>([]);
  useLive({ issue: issueId }, event => {
    if (event.kind === 'checklist') events.current.push({ by: event.by ?? [], at: Date.now() });
  });
  const recentAuthors = useCallback(() => {
    const recent = events.current.filter(({ at }) => at > Date.now() - EVENT_WINDOW_MS);
    return [...new Set(recent.flatMap(({ by }) => by))];
  }, []);
  const onRemoteChange = useCallback(
    (note: RemoteChangeNote) => {
      add({ ...note, by: recentAuthors().filter(account => account !== me) });
      events.current = [];
    },
    [add, recentAuthors, me],
  );
  /** None where the change may be the user's own, in another tab. */
  const remoteAuthors = useCallback(() => {
    const authors = recentAuthors();
    return authors.includes(me) ? [] : authors;
  }, [recentAuthors, me]);
  return { ...notes, onRemoteChange, remoteAuthors };
}
