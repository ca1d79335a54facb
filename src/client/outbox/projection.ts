import { isEdit } from '../../domain/change.ts';
import { merge } from '../../text/merge.ts';
import { performEdit } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { Checklist } from '../../text/types.ts';
import type { Entry } from './entry.ts';

/** Entries as they show: each edit made on what it was made on, and merged into what there is, as at the server. */
export interface Projection {
  /** The text that an entry makes of its base; `shown` spares a reading where it is that base. Throws as the edit does. */
  after(entry: Entry, shown?: Checklist): string;
  /** A text with the entries, in their order. */
  apply(text: string, entries: readonly Entry[], shown?: Checklist): string;
  /** Entries as they would be if the one before them had never been. */
  without(later: readonly Entry[], taken: Entry): Entry[];
}

export function createProjection(statuses: () => StatusRegistry): Projection {
  /** By which statuses, and what came of an entry. */
  const known = new WeakMap<Entry, { by: StatusRegistry; text: string }>();

  const after = (entry: Entry, shown?: Checklist): string => {
    const by = statuses();
    const before = known.get(entry);
    if (before?.by === by) return before.text;
    const { base, edit } = entry;
    // What only the server can make of a text shows when it has.
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
      // Its row went with an edit that was refused: the server will say so.
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
        // A whole text was typed over that very base: what is new in it is told by nothing else.
        const whole = entry.edit.kind === 'updateChecklistFromText';
        const moved = whole || text === entry.base.text ? entry : { ...entry, base: { ...entry.base, text } };
        [was, now] = [applied(entry.base.text, entry), applied(text, moved)];
        return moved;
      });
    },
  };
}
