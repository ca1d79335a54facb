import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { jobs, storage } from '../../domain/messages.ts';
import { encodedSize, parseChecklistProperty, storageKey } from '../../domain/storage.ts';
import { hasRows } from '../../text/edits/rows.ts';
import { isMirrored } from '../checklists/read/revisions.ts';
import { mirrorOf } from '../checklists/service/site.ts';
import { compareIssues } from '../copies/check.ts';
import { CHECKLIST_PROPERTIES, checklistsIn } from '../platform/tracker/issue.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import type { Result, Scope } from '../queue/wide-types.ts';
import { CALLS, fieldText, ownFields, resultOf, type WideSite, type Work } from './site.ts';

const PROPERTY = storageKey('checklist');
/** Whether a job is for a single issue: only that says why it is skipped. */
const nothing = (single: boolean): Result => ({ outcome: 'skipped', ...(single && { message: jobs.noChecklist }) });

/**
 * Makes property and field of each issue equal: reads foreign changes, and takes over a text that only one of them has.
 * In a project or a site, an issue whose copies are up to date costs no call besides the list of issues.
 */
export function synchronizer(site: WideSite, scope: Scope): Work {
  const { checklists, sync, pace, store, tenant } = site;
  const ownFieldIds = ownFields(site);
  const isSingle = scope.kind === 'issue';

  /** Whether the copies that the list of issues shows hold the newest revision, and all that is read beside it. */
  async function isUpToDate({ id, properties, fields: values }: FoundIssue): Promise<boolean> {
    const field = await mirrorOf(tenant, async () => site.fields);
    // A field that is not on the issue has no value, and none is written.
    const shown = field !== undefined && field in values ? [{ id: field, name: '', value: values[field] }] : [];
    const issue = { ...checklistsIn(properties), project: undefined, service: undefined, fields: shown };
    const [checked] = await compareIssues(site, [id], new Map([[id, issue]]), field);
    if (!checked || checked.differences.includes('schedule')) return false;
    return checked.property.state === 'equal' && ['equal', 'off'].includes(checked.field.state);
  }

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
    fields: ownFieldIds,
    properties: CHECKLIST_PROPERTIES,
    async each(issue) {
      const { id, properties, fields: values } = issue;
      // A user who asks for one issue has a reason to.
      if (!isSingle && (await isUpToDate(issue))) return { outcome: 'skipped' };
      const { kind } = parseChecklistProperty(properties[PROPERTY]);
      // A foreign text in place of the app's value is a foreign change, not a new checklist.
      const mirrored = () => store.tenant(tenant.id, tx => isMirrored(tx, { tenant: tenant.id, issue: id }));
      if (kind === 'ours' || (await mirrored())) {
        await pace(CALLS.refresh);
        return resultOf(await sync.equalize(id));
      }
      const hasText = kind === 'text' || ownFieldIds.some(field => fieldText(values[field]) !== undefined);
      return hasText ? takeOver(id) : nothing(isSingle);
    },
  };
}
