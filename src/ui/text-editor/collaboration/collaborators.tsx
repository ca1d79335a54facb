import { useEffect, useEffectEvent, useState } from 'react';
import { anchorOf, checklistOf, positionOf, type RowAnchor, setCollaborators } from '../../../editor/index.ts';
import type { Checklist } from '../../../text/types.ts';
import { usePeople } from '../../model/people.ts';
import type { OpenText } from '../saving/use-saving.ts';
import type { OtherEditor } from './use-collaborators.ts';
import { useCollaborators } from './use-collaborators.ts';

interface Options {
  document: OpenText;
  stored(): Checklist;
  editors: readonly OtherEditor[];
  nameOf(account: string): string;
  /** Takes where this editor is, whenever it may have moved. */
  place(now: RowAnchor | undefined): void;
}

/** Milliseconds between two looks at where the cursor is; they cost next to nothing while it stays in its row. */
const LOOK = 500;

/** The words of a row that are enough to know it by. */
const MOST = 60;
const short = (text: string) => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

/** Shows others at their rows in the text, and answers with what those rows say, by account. */
export function useCollaboratorCursors({
  document,
  stored,
  editors,
  nameOf,
  place,
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
    const placed = editors.flatMap(({ account, place }) => {
      const at = place && positionOf(base(), checklist.text, place);
      const row = at === undefined ? -1 : checklist.starts.findLastIndex(start => start <= at);
      const text = checklist.rows[row]?.text;
      return at === undefined || text === undefined ? [] : [{ id: account, name: name(account), at, text }];
    });
    view.dispatch(setCollaborators(placed));
    setRows(new Map(placed.map(({ id, text }) => [id, short(text)])));
  }, [document, editors, names]);

  const others = editors.length > 0;
  const look = useEffectEvent((last: { head: number; text: unknown } | undefined) => {
    const { view } = document;
    if (!view) return last;
    const { head } = view.state.selection.main;
    const now = { head: view.state.doc.lineAt(head).from, text: base().text };
    if (last && now.head === last.head && now.text === last.text) return last;
    place(anchorOf(base(), view.state.doc.toString(), head));
    return now;
  });
  useEffect(() => {
    if (!others) return undefined;
    let last = look(undefined);
    const timer = setInterval(() => {
      last = look(last);
    }, LOOK);
    return () => clearInterval(timer);
  }, [others]);
  return rows;
}

interface Props {
  /** What is open (`domain/subjects.ts`). */
  subjectId: string;
  /** This editor may change the text: others are told of it and of its place. */
  editing: boolean;
  document: OpenText;
  /** The text as it is stored, which all editors have in common. */
  stored(): Checklist;
}

/**
 * Who else has this open as text, and where. Their changes come in as they save; this says whom to expect. Who
 * comes and goes is read out, where they are is there to read.
 */
export function Collaborators({ subjectId, editing, document, stored }: Props) {
  const { editors, place } = useCollaborators(subjectId, editing);
  const people = usePeople(editors.map(({ account }) => account));
  const nameOf = (account: string) => people.get(account)?.name ?? 'Somebody';
  const rows = useCollaboratorCursors({ document, stored, editors, nameOf, place });
  const [first, ...more] = editors;
  const places = editors.flatMap(({ account }) => {
    const row = rows.get(account);
    if (row === undefined) return [];
    return more.length === 0 ? `at “${row}”` : `${nameOf(account)} at “${row}”`;
  });
  return (
    <span className="editor-others">
      <span role="status">
        {first === undefined
          ? null
          : more.length === 0
            ? `${nameOf(first.account)} is editing too`
            : `${nameOf(first.account)} and ${more.length} more are editing too`}
      </span>
      {places.length > 0 && <span className="editor-places">{places.join(', ')}</span>}
    </span>
  );
}
