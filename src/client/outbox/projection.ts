import { isEdit } from '../../domain/change.ts';
import { merge } from '../../text/merge.ts';
import { performEdit } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import type { Entry } from './entry.ts';

/** Applies entries to a text: each edit on its own base, then merged, as the server does. */
export interface Projection {
  /** An entry's base with its edit. `shown` saves parsing where it is that base. Throws as the edit does. */
  after(entry: Entry, shown?: Checklist): string;
  /** A text with the entries applied in order. */
  apply(text: string, entries: readonly Entry[], shown?: Checklist): string;
  /** The later entries rebased as if `taken` had never been made. */
  without(later: readonly Entry[], taken: Entry): Entry[];
}

export function createProjection(statuses: () => StatusRegistry): Projection {
  /** Results of edits, with the statuses that they were computed with. */
  const known = new WeakMap<Entry, { by: StatusRegistry; text: string }>();

  const after = (entry: Entry, shown?: Checklist): string => {
    const by = statuses();
    const before = known.get(entry);
    if (before?.by === by) return before.text;
    const { base, edit } = entry;
    // Only the server knows the result.
    if (!isEdit(edit)) return base.text;
    const start = shown?.text === base.text && shown.statuses === by ? shown : readChecklist(base.text, by);
    const text = performEdit(start, edit);
    known.set(entry, { by, text });
    return text;
  };

  const applied = (text: string, entry: Entry, shown?: Checklist): string => {
    try {
      return merge(entry.base.text, after(entry, shown), text, statuses()).text;
    } catch {
      // Its row was added by a refused edit: the server will refuse this one, too.
      return text;
    }
  };

  return {
    after,
    apply: (text, entries, shown) => entries.reduce((now, entry) => applied(now, entry, shown), text),
    without: (later, taken) => {
      let [was, now] = [applied(taken.base.text, taken), taken.base.text];
      return later.map(entry => {
        const { text } = merge(was, now, entry.base.text, statuses());
        // A whole text keeps its base: its changes are the difference to that base.
        const whole = entry.edit.kind === 'updateChecklistFromText';
        const moved = whole || text === entry.base.text ? entry : { ...entry, base: { ...entry.base, text } };
        [was, now] = [applied(entry.base.text, entry), applied(text, moved)];
        return moved;
      });
    },
  };
}
