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

/** Milliseconds between two checks of the cursor's row; cheap while it stays in the row. */
const POLL = 500;

/** Characters of a row's text that identify it. */
const MAX_LENGTH = 60;
const short = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text);

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
    const now = { head: view.state.doc.lineAt(head).from, text: base().text };
    if (last && now.head === last.head && now.text === last.text) return last;
    onMove(anchorOf(base(), checklistOf(view.state), head));
    return now;
  });
  useEffect(() => {
    if (!hasCollaborators) return undefined;
    let last = check(undefined);
    const timer = setInterval(() => {
      last = check(last);
    }, POLL);
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

/** Milliseconds for which a change is shown. */
const DISPLAY_TIME = 6_000;

const noAccounts: readonly string[] = [];

/** A short note about remote changes in the open text, removed after a timeout. */
export function RemoteChange({ change }: { change: RemoteChangeInfo | undefined }) {
  const people = usePeople(change?.by ?? noAccounts);
  const [hidden, setHidden] = useState<RemoteChangeInfo | undefined>(undefined);
  useEffect(() => {
    if (!change) return undefined;
    const timer = setTimeout(() => setHidden(change), DISPLAY_TIME);
    return () => clearTimeout(timer);
  }, [change]);
  const shown = change !== hidden ? change : undefined;
  const names = shown?.by.flatMap(account => people.get(account)?.name ?? []) ?? [];
  return (
    <div className="editor-remote-change" role="status">
      {shown ? <span className="editor-remote-change-note">{sentence(shown, names)}</span> : null}
    </div>
  );
}

function sentence({ rows, isCursorRowDeleted }: RemoteChangeNote, names: readonly string[]): string {
  const what = rows === 1 ? '1 item' : `${rows} items`;
  const last = names.at(-1) ?? '';
  const who = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
  if (isCursorRowDeleted) return conflicts.cursorRowDeleted(who);
  if (who === '') return `${what} ${rows === 1 ? 'was' : 'were'} changed elsewhere`;
  return `${who} changed ${what}`;
}

/** Milliseconds for which a live event may belong to a text that is loaded after it. */
const EVENT_WINDOW = 60_000;

/** The latest remote change of the open text, and the authors of the next one, both from live events. */
export function useRemoteChanges(issueId: string) {
  const { id: me } = useUser();
  const [change, setChange] = useState<RemoteChangeInfo | undefined>(undefined);
  const events = useRef<{ by: readonly string[]; at: number }[]>([]);
  useLive({ issue: issueId }, event => {
    if (event.kind === 'checklist') events.current.push({ by: event.by ?? [], at: Date.now() });
  });
  const remoteAuthors = useCallback(() => {
    const recent = events.current.filter(({ at }) => at > Date.now() - EVENT_WINDOW);
    return [...new Set(recent.flatMap(({ by }) => by))].filter(account => account !== me);
  }, [me]);
  const onRemoteChange = useCallback(
    (note: RemoteChangeNote) => {
      setChange({ ...note, by: remoteAuthors() });
      events.current = [];
    },
    [remoteAuthors],
  );
  return { change, onRemoteChange, remoteAuthors };
}
