import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import type { Edition } from '../../domain/edition.ts';
import { jobs, storage } from '../../domain/messages.ts';
import { encodedSize, parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { merge } from '../../text/merge.ts';
import { readChecklist } from '../../text/read.ts';
import { EVER, type Past, pastOf, recentVersions } from '../checklists/revisions.ts';
import { hashText } from '../common/hash.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import { inheritedAt, noteInherited } from '../queue/wide-records.ts';
import type { Result } from '../queue/wide-types.ts';
import { CALLS, type WideSite, type Work } from './site.ts';

const PROPERTY = storageKey('checklist');
const nothing: Result = { outcome: 'skipped' };

/**
 * Gives issues the checklists that another edition of ours has stored under its key. An issue that is changed here for the
 * first time gets it by that (`firstSteps`), so what this finds that was changed here already had nothing of it: that is
 * joined to it, once, as long as the site is new to this edition. What the other edition has stays.
 */
export async function inheritor(
  site: WideSite,
  from: Pick<Edition, 'key' | 'name'>,
  notes: readonly string[],
): Promise<Work> {
  const { tenant, checklists, sync, pace, store } = site;
  const theirs = storageKey('checklist', from.key);
  const isNew = (await store.tenant(tenant.id, tx => inheritedAt(tx, tenant.id))) === null;
  const pastIn = (issue: string): Promise<Past> =>
    store.tenant(tenant.id, tx => pastOf(tx, { tenant: tenant.id, issue }));

  async function takeOver({ id }: FoundIssue, text: string): Promise<Result> {
    await pace(CALLS.change);
    if (await sync.takeOver(id)) return { outcome: 'done' };
    return { outcome: 'failed', message: storage.tooLarge(encodedSize(text), PROPERTY_CAPACITY) };
  }

  /**
   * Theirs below ours; a row that says the same in both stands there once. Where all of it was here before, be it since
   * an earlier attempt found it so, what lacks of it was changed or deleted here.
   */
  async function join({ id }: FoundIssue, text: string): Promise<Result> {
    await pace(CALLS.change);
    const before = await checklists.read(id);
    const versions = await store.tenant(tenant.id, tx => recentVersions(tx, { tenant: tenant.id, issue: id }, EVER));
    const { checklist } = await checklists.rewrite({
      issueId: id,
      // The same whenever it is tried: cut off after it was made, it is not made again.
      clientId: `inherit:${hashText(text)}`,
      kind: 'inherited',
      apply: (ours, statuses) => {
        const withTheirs = (each: string) => merge('', each, text, statuses).text;
        return versions.some(version => withTheirs(version.text) === version.text) ? ours : withTheirs(ours);
      },
    });
    return checklist.text === before.text ? nothing : { outcome: 'done', message: jobs.joined(from.name) };
  }

  return {
    fields: [],
    properties: [PROPERTY, theirs],
    notes,
    async each(issue) {
      const found = parseChecklistProperty(issue.properties[theirs]);
      if (!('text' in found) || readChecklist(found.text).rows.length === 0) return nothing;
      const past = await pastIn(issue.id);
      // It came with a change, or before this was cut off: it counts among those of the first time.
      if (past.mirrored && past.inherited) return isNew ? { outcome: 'done' } : nothing;
      if (past.mirrored) return isNew ? join(issue, found.text) : nothing;
      // What an earlier installation of this edition left there was taken over then.
      return 'text' in parseChecklistProperty(issue.properties[PROPERTY]) ? nothing : takeOver(issue, found.text);
    },
    finish: tx => noteInherited(tx, tenant.id),
  };
}
