import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Draft } from '../../../client/drafts.ts';
import type { Base } from '../../../client/reading.ts';
import { receiveText } from '../../../editor/collaboration/remote.ts';
import {
  conflictAt,
  conflictsOf,
  idsOfVersion,
  lastingIdsOf,
  mergeRemote,
  type RemoteChange,
  type RowConflict,
  receive,
  rowIdsOf,
  type ShownConflict,
  undecidedIn,
  undecidedValues,
} from '../../../editor/index.ts';
import { knownIds } from '../../../editor/row-ids.ts';
import { setValues } from '../../../text/edits/value.ts';
import { align, type Identified } from '../../../text/identity.ts';
import { isLastingId } from '../../../text/merge/pairing.ts';
import { isNearer } from '../../../text/merge/word-counts.ts';
import type { Conflict } from '../../../text/merge.ts';
import { mergeRows } from '../../../text/merge-rows.ts';
import { readChecklist } from '../../../text/read.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { Checklist } from '../../../text/types.ts';

/** A text with what is known of its rows, as it is sent and stored. */
export type Content = Pick<Draft, 'text' | 'rows' | 'undecided'>;

/** An unsaved text and its base. */
export type Unsaved = Content & Pick<Draft, 'base' | 'sent'>;

/** The initial text of an editor: the stored one, with unsaved edits merged in. */
export interface InitialText {
  text: string;
  /** The ids of the rows. */
  rows: readonly string[];
  base: Base;
  /** The base with the ids that its rows have here, and the bases of the unsaved edits. */
  stored: readonly Identified[];
  /** Conflicts between the unsaved edits and the stored text. */
  conflicts: readonly RowConflict[];
  /** The text contains unsaved edits. */
  restored: boolean;
}

/** The ids of a text that does not say them, by those of the newest text that the user had or sent. */
function idsOfUnsaved(
  { text }: Pick<Base, 'text'>,
  unsaved: readonly Unsaved[],
  read: (text: string) => Checklist,
): readonly string[] | undefined {
  const known = unsaved.flatMap(({ base, sent }) => [base, ...(sent ? [sent] : [])]).findLast(({ rows }) => rows);
  return known?.rows && align(read(known.text), known.rows, read(text), () => '');
}

/** Names a text's rows without an id by the rows of another version of it. */
function namedBy(version: Identified, other: Identified, read: (text: string) => Checklist): Identified {
  if (version.rows.every(Boolean)) return version;
  const taken = new Set(version.rows);
  const aligned = align(read(other.text), other.rows, read(version.text), () => '');
  return {
    ...version,
    rows: version.rows.map((id, index) => {
      const found = aligned[index] ?? '';
      return id || (taken.has(found) ? '' : found);
    }),
  };
}

/** Merges unsaved texts one after the other over the current base. */
export function initialTextOf(base: Base, unsaved: readonly Unsaved[], statuses?: StatusRegistry): InitialText {
  const read = (text: string) => readChecklist(text, statuses);
  const identified = ({ text, rows }: Pick<Base, 'text' | 'rows'>): Identified => ({
    text,
    rows: rows ?? read(text).rows.map(() => ''),
  });
  let stored = {
    text: base.text,
    rows: knownIds(base.rows ?? idsOfUnsaved(base, unsaved, read), read(base.text).rows.length),
  };
  let current: Identified = stored;
  const earlier: Identified[] = [];
  const conflicts: RowConflict[] = [];
  for (const { base: before, undecided = [], sent, ...left } of unsaved) {
    const agreed = setValues(read(before.text), undecided, read);
    // The stored text has the rows as they were sent, which may be more like those of the unsaved text than it is.
    const sentRows = sent && namedBy(identified(sent), current, read);
    const namedRows = (version: Pick<Base, 'text' | 'rows'>) =>
      sentRows ? namedBy(identified(version), sentRows, read) : identified(version);
    earlier.push(namedRows(before));
    const agreedRows = namedRows({ ...before, text: agreed });
    const addedIds = sentRows?.rows.filter(id => isLastingId(id) && !agreedRows.rows.includes(id)) ?? [];
    // A row that was new in the sent text tells more than the words of all rows.
    const hasAdded = addedIds.some(id => current.rows.includes(id));
    const isStored = sentRows && (hasAdded || !isNearer(current.text, agreed, sentRows.text));
    const start = isStored ? sentRows : agreedRows;
    const merged = mergeRows(start, namedRows(left), current, sentRows ? [sentRows] : [], read);
    const rows = knownIds(merged.rows, read(merged.text).rows.length);
    // An unsaved text may know the lasting ids of rows that the base does not say.
    const renamed = new Map(
      merged.origins.map(({ theirs = -1 }, index) => [current.rows[theirs], rows[index] ?? ''] as const),
    );
    stored = { ...stored, rows: stored.rows.map(id => renamed.get(id) ?? id) };
    for (const { index, ...conflict } of merged.conflicts) {
      const rowId = rows[index];
      const named = conflict.before.map(value => ({ ...value, rowId: renamed.get(value.rowId) ?? value.rowId }));
      if (rowId !== undefined) conflicts.push(conflictAt({ ...conflict, before: named }, rowId));
    }
    current = { text: merged.text, rows };
  }
  return { ...current, base, stored: [stored, ...earlier], conflicts, restored: current.text !== base.text };
}

/** An open text: in the editor's view while there is one. */
export interface OpenText {
  view: EditorView | undefined;
  /** The editor's last state, once it has been shown. */
  state: EditorState | undefined;
  /** The text before the editor was shown. */
  initial: InitialText;
  /** The statuses by which that text is read. */
  readonly statuses: StatusRegistry | undefined;
}

export const openText = (initial: InitialText, statuses?: StatusRegistry): OpenText => ({
  view: undefined,
  state: undefined,
  initial,
  statuses,
});

/** Connects the text with a new view, or keeps the state of the one that is being destroyed. */
export function attachView(document: OpenText, view: EditorView | undefined): void {
  const isFirst = document.state === undefined && document.view === undefined;
  document.state = view ? undefined : (document.view?.state ?? document.state);
  document.view = view;
  // A remote version came in before the editor was there.
  if (view && isFirst) receiveText(view, document.initial.text);
}

export const stateOf = ({ view, state }: OpenText): EditorState | undefined => view?.state ?? state;

/** The present text. */
export const textOf = (document: OpenText): string => stateOf(document)?.doc.toString() ?? document.initial.text;

/** The ids that the rows of the present text have in this page. */
export function rowIdsIn(document: OpenText): readonly string[] {
  const state = stateOf(document);
  return state ? rowIdsOf(state) : document.initial.rows;
}

/** The conflicts that the user has not decided. */
export function openConflicts(document: OpenText): readonly ShownConflict[] {
  const state = stateOf(document);
  return state ? conflictsOf(state) : document.initial.conflicts.map(({ conflict }) => conflict);
}

/** The present text, to be stored over a base. */
export function contentOf(document: OpenText, base: Pick<Base, 'text' | 'rows'>): Content {
  const { initial } = document;
  const state = stateOf(document);
  const ofStored = initial.stored.find(({ text }) => text === base.text)?.rows ?? [];
  const baseIds = (state ? idsOfVersion(state, base) : (base.rows ?? ofStored)) ?? [];
  const rows = lastingIdsOf(rowIdsIn(document));
  const undecided = state ? undecidedValues(state, baseIds) : undecidedIn(initial.conflicts, baseIds);
  return { text: textOf(document), rows, ...(undecided.length > 0 && { undecided }) };
}

/**
 * Merges a remote version into an open text. `take` is asked for it when it can be applied, and gives none where it no
 * longer applies. Resolves then with the conflicts whose row was not found.
 */
export async function receiveIn(
  document: OpenText,
  take: () => RemoteChange | undefined,
): Promise<readonly Conflict[]> {
  const { view, state } = document;
  if (view) {
    let isTaken = false;
    const unplaced = await receive(view, () => {
      isTaken = true;
      return take();
    });
    // The view went before the end of a composition.
    return isTaken || document.view || !document.state ? unplaced : receiveIn(document, take);
  }
  const change = take();
  if (!change) return [];
  if (!state) {
    const { base, text, rows, conflicts = [] } = change;
    const unsaved = { ...contentOf(document, base), base: { ...document.initial.base, ...base } };
    document.initial = initialTextOf({ ...document.initial.base, text, rows }, [unsaved], document.statuses);
    return conflicts;
  }
  const { transaction, unplaced } = mergeRemote(state, change);
  document.state = transaction?.state ?? state;
  return unplaced;
}
