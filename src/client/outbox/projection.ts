import { isEdit } from '../../domain/change.ts';
import { carry } from '../../text/identity.ts';
import { merge } from '../../text/merge.ts';
import { mergeRows } from '../../text/merge-rows.ts';
import { performEdit, rowIdsAfter } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import type { Entry } from './entry.ts';

/** A text, and the lasting ids of its rows if they are known: '' for a row without one. */
export interface RowsKnown {
  text: string;
  rows?: readonly string[] | undefined;
}

/** Applies entries to a text: each edit on its own base, then merged by the rows' ids, as the server does. */
export interface Projection {
  /** An entry's base with its edit. `shown` saves parsing if it is that base. Throws as the edit does. */
  after(entry: Entry, shown?: Checklist): RowsKnown;
  /** A text with the entries applied in order. */
  apply(text: RowsKnown, entries: readonly Entry[], shown?: Checklist): RowsKnown;
  /** The later entries rebased as if `taken` had never been made. */
  without(later: readonly Entry[], taken: Entry): Entry[];
}

export function createProjection(statuses: () => StatusRegistry): Projection {
  /** Results of edits, with the statuses that they were computed with. */
  const results = new WeakMap<Entry, { by: StatusRegistry; after: RowsKnown }>();
  const readText = (text: string) => readChecklist(text, statuses());

  /** The ids of the rows that an entry makes of its base. */
  const idsAfter = ({ base, edit }: Entry, start: Checklist, text: string): readonly string[] | undefined => {
    if (!base.rows || edit.kind === 'setItemStatus') return base.rows;
    const knownIds = rowIdsAfter(edit, base.rows, start);
    if (knownIds?.length === readText(text).rows.length) return knownIds;
    return carry({ text: base.text, rows: base.rows }, text, [], { read: readText, newId: () => '' });
  };

  const after = (entry: Entry, shown?: Checklist): RowsKnown => {
    const by = statuses();
    const before = results.get(entry);
    if (before?.by === by) return before.after;
    const { base, edit } = entry;
    // Only the server knows the result.
    if (!isEdit(edit)) return base;
    const start = shown?.text === base.text && shown.statuses === by ? shown : readChecklist(base.text, by);
    const text = performEdit(start, edit);
    const rowsAfter = { text, rows: idsAfter(entry, start, text) };
    results.set(entry, { by, after: rowsAfter });
    return rowsAfter;
  };

  /** Joins two changes of one base: by the rows' ids if all are known, else by what the rows say. */
  const joined = (base: RowsKnown, mine: RowsKnown, theirs: RowsKnown): RowsKnown => {
    if (base.text === theirs.text) return mine;
    if (!base.rows || !mine.rows || !theirs.rows)
      return { text: merge(base.text, mine.text, theirs.text, statuses()).text };
    const { text, rows } = mergeRows(
      { text: base.text, rows: base.rows },
      { text: mine.text, rows: mine.rows },
      { text: theirs.text, rows: theirs.rows },
      [],
      readText,
    );
    return { text, ...(rows.length === readText(text).rows.length && { rows }) };
  };

  const applied = (text: RowsKnown, entry: Entry, shown?: Checklist): RowsKnown => {
    try {
      return joined(entry.base, after(entry, shown), text);
    } catch {
      // Its row was added by a refused edit: the server will refuse this one, too.
      return text;
    }
  };

  return {
    after,
    apply: (text, entries, shown) => entries.reduce((now, entry) => applied(now, entry, shown), text),
    without: (later, taken) => {
      let [was, now]: [RowsKnown, RowsKnown] = [applied(taken.base, taken), taken.base];
      return later.map(entry => {
        const moved = joined(was, now, entry.base);
        // A whole text keeps its base: its changes are the difference to that base.
        const whole = entry.edit.kind === 'updateChecklistFromText';
        const rebased =
          whole || moved.text === entry.base.text
            ? entry
            : { ...entry, base: { ...entry.base, text: moved.text, rows: moved.rows } };
        [was, now] = [applied(entry.base, entry), applied(moved, rebased)];
        return rebased;
      });
    },
  };
}
