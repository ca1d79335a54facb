import { type EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import { merge } from '../../text/merge.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf, sourceOf } from '../../text/rows.ts';
import { checklistOf, statuses } from '../checklist.ts';
import { rowIdsOf, type Twin, twinsOf } from '../row-ids.ts';
import { changesBetween } from './diff.ts';
import { storedVersions } from './stored-version.ts';

const closed = (source: string) => (source.endsWith('\n') ? source : `${source}\n`);

/** The row as it was in the first version that has it: what the user deleted was made of that. */
function firstSource(state: EditorState, id: string): string | undefined {
  const version = storedVersions(state).findLast(({ rows }) => rows.includes(id));
  if (!version) return undefined;
  return sourceOf(readChecklist(version.text, state.facet(statuses)), version.rows.indexOf(id));
}

/** Takes the added row away, and merges what it says into the one that is there. */
function changesFor(state: EditorState, { added, kept }: Twin) {
  const checklist = checklistOf(state);
  const ids = rowIdsOf(state);
  const [here, there] = [ids.indexOf(added), ids.indexOf(kept)];
  if (here < 0 || there < 0) return [];
  const [mine, theirs] = [sourceOf(checklist, here), sourceOf(checklist, there)];
  const base = firstSource(state, kept) ?? mine;
  const { text } = merge(closed(base), closed(mine), closed(theirs), state.facet(statuses));
  const merged = theirs.endsWith('\n') ? text : text.replace(/\n$/, '');
  const place = rangeOf(checklist, there);
  const { from, to } = rangeOf(checklist, here);
  const isLast = to === state.doc.length && !mine.endsWith('\n');
  return [
    { from: isLast ? Math.max(0, from - 1) : from, to },
    ...changesBetween(theirs, merged).map(change => ({
      ...change,
      from: place.from + change.from,
      to: place.from + (change.to ?? change.from),
    })),
  ];
}

/** Makes one row of each that an undo brought back although others had kept it; nothing where there is none. */
export function joinTwins(state: EditorState): TransactionSpec | undefined {
  const changes = twinsOf(state).flatMap(twin => changesFor(state, twin));
  return changes.length === 0 ? undefined : { changes, annotations: Transaction.addToHistory.of(false) };
}
