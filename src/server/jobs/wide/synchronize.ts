import { PROPERTY_CAPACITY } from '../../../domain/constants.ts';
import { storage } from '../../../domain/messages.ts';
import { encodedSize, parseChecklistProperty, storageKey } from '../../../domain/storage.ts';
import { readChecklist } from '../../../text/read.ts';
import { isOurs } from '../../checklists/revisions.ts';
import { CALLS, fieldText, ownFields, type WideSite, type Work } from './site.ts';
import type { Result } from './types.ts';

const PROPERTY = storageKey('checklist');
const nothing: Result = { outcome: 'skipped' };

/** Makes property and field of each issue equal: what others wrote is taken in, what is in one of them only is adopted. */
export function synchronizer(site: WideSite): Work {
  const { checklists, pace, store, tenant } = site;
  const own = ownFields(site);

  async function adopt(issueId: string): Promise<Result> {
    await pace(CALLS.read + CALLS.change);
    const { text } = await checklists.read(issueId);
    if (readChecklist(text).rows.length === 0) return nothing;
    // As it stands there by then: somebody may be the first to change it meanwhile.
    if (await checklists.adopt(issueId)) return { outcome: 'done' };
    return { outcome: 'failed', message: storage.tooLarge(encodedSize(text), PROPERTY_CAPACITY) };
  }

  return {
    fields: own,
    properties: [PROPERTY],
    async each({ id, properties, fields: values }) {
      const { kind } = parseChecklistProperty(properties[PROPERTY]);
      // What others put in place of ours is a change of it, and no checklist of its own.
      const known = () => store.tenant(tenant.id, tx => isOurs(tx, { tenant: tenant.id, issue: id }));
      if (kind === 'ours' || (await known())) {
        await pace(CALLS.look);
        await checklists.look(id);
        return { outcome: 'done' };
      }
      const held = kind === 'text' || own.some(field => fieldText(values[field]) !== undefined);
      return held ? adopt(id) : nothing;
    },
  };
}
