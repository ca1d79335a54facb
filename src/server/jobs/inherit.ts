import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { Edition } from '../../domain/edition.ts';
import { jobs, storage } from '../../domain/messages.ts';
import { encodedSize, parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { hasRows } from '../../text/edits/rows.ts';
import {
  MAX_SEARCHED_REVISIONS,
  type PredecessorHistory,
  pastOf,
  recentVersions,
} from '../checklists/read/revisions.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import { inheritedAt, noteInherited } from '../queue/wide-records.ts';
import type { Result } from '../queue/wide-types.ts';
import { hashText } from '../text-workers/hash.ts';
import { CALLS, type WideSite, type Work } from './site.ts';

const PROPERTY = storageKey('checklist');
const nothing: Result = { outcome: 'skipped' };

/**
 * Takes over the checklists that another edition of the app has stored under its key. The first change of an issue here
 * also takes it over (`decideFirst`). A checklist that was changed here without it is joined with it, once, while the
 * site is new to this edition. The other edition's data stays.
 */
export async function inheritor(
  site: WideSite,
  from: Pick<Edition, 'key' | 'name'>,
  notes: readonly string[],
): Promise<Work> {
  const { tenant, checklists, sync, pace, store } = site;
  const theirs = storageKey('checklist', from.key);
  const isNew = (await store.tenant(tenant.id, tx => inheritedAt(tx, tenant.id))) === null;
  const pastIn = (issue: string): Promise<PredecessorHistory> =>
    store.tenant(tenant.id, tx => pastOf(tx, { tenant: tenant.id, issue }));

  async function takeOver({ id }: FoundIssue, text: string): Promise<Result> {
    await pace(CALLS.change);
    // A copy that the tracker refuses is tried again: the checklist is stored.
    if (await sync.takeOver(id)) return { outcome: 'done' };
    return { outcome: 'failed', message: storage.tooLarge(encodedSize(text), PROPERTY_CAPACITY) };
  }

  /**
   * Appends the other edition's rows that are not in the text. Unchanged if an earlier version had all of them:
   * missing ones were changed or deleted here.
   */
  async function join({ id }: FoundIssue, text: string): Promise<Result> {
    await pace(CALLS.change);
    const before = await checklists.read(id);
    const versions = await store.tenant(tenant.id, tx =>
      recentVersions(tx, { tenant: tenant.id, issue: id }, MAX_SEARCHED_REVISIONS),
    );
    const { checklist } = await checklists.rewrite({
      issueId: id,
      // Idempotent: a change that was stored before an interruption is not repeated.
      clientId: `inherit:${hashText(text)}`,
      edit: { kind: 'joinInherited', text, earlier: versions.map(version => version.text) },
    });
    return checklist.text === before.text ? nothing : { outcome: 'done', message: jobs.joined(from.name) };
  }

  return {
    fields: [],
    properties: [PROPERTY, theirs],
    notes,
    async each(issue) {
      const inheritedProperty = parseChecklistProperty(issue.properties[theirs]);
      if (!('text' in inheritedProperty) || !hasRows(inheritedProperty.text)) return nothing;
      const past = await pastIn(issue.id);
      // Taken over by a change, or before an interruption: counted as done.
      if (past.mirrored && past.inherited) return isNew ? { outcome: 'done' } : nothing;
      if (past.mirrored) return isNew ? join(issue, inheritedProperty.text) : nothing;
      // A property of an earlier installation of this edition: it was taken over then.
      return 'text' in parseChecklistProperty(issue.properties[PROPERTY])
        ? nothing
        : takeOver(issue, inheritedProperty.text);
    },
    finish: tx => noteInherited(tx, tenant.id),
  };
}
