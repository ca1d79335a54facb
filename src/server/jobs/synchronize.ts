import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { jobs, storage } from '../../domain/messages.ts';
import { encodedSize, parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { hasRows } from '../../text/edits/rows.ts';
import { isMirrored } from '../checklists/read/revisions.ts';
import type { Result, Scope } from '../queue/wide-types.ts';
import { CALLS, fieldText, ownFields, resultOf, type WideSite, type Work } from './site.ts';

const PROPERTY = storageKey('checklist');
/** Whether a job is for a single issue: only that says why it is skipped. */
const nothing = (single: boolean): Result => ({ outcome: 'skipped', ...(single && { message: jobs.noChecklist }) });

/**
 * Makes property and field of each issue equal: reads foreign changes, and takes over a text that only one of them has.
 */
export function synchronizer(site: WideSite, scope: Scope): Work {
  const { checklists, sync, pace, store, tenant } = site;
  const own = ownFields(site);
  const isSingle = scope.kind === 'issue';

  async function takeOver(issueId: string): Promise<Result> {
    await pace(CALLS.read + CALLS.change);
    const { text } = await checklists.read(issueId);
    if (!hasRows(text)) return nothing(isSingle);
    // Takes over the text at that time: it may have changed meanwhile.
    const state = await sync.takeOver(issueId);
    if (state) return resultOf(state);
    return { outcome: 'failed', message: storage.tooLarge(encodedSize(text), PROPERTY_CAPACITY) };
  }

  return {
    fields: own,
    properties: [PROPERTY],
    async each({ id, properties, fields: values }) {
      const { kind } = parseChecklistProperty(properties[PROPERTY]);
      // A foreign text in place of the app's value is a foreign change, not a new checklist.
      const mirrored = () => store.tenant(tenant.id, tx => isMirrored(tx, { tenant: tenant.id, issue: id }));
      if (kind === 'ours' || (await mirrored())) {
        await pace(CALLS.refresh);
        return resultOf(await sync.equalize(id));
      }
      const held = kind === 'text' || own.some(field => fieldText(values[field]) !== undefined);
      return held ? takeOver(id) : nothing(isSingle);
    },
  };
}
