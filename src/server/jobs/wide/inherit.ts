import { parseChecklistProperty, storageKey } from '../../../domain/storage.ts';
import { readChecklist } from '../../../text/read.ts';
import type { ChecklistView } from '../../checklists/types.ts';
import { hashText } from '../../hash.ts';
import type { FoundIssue } from '../../tracker/search.ts';
import { noteInherited } from './records.ts';
import { CALLS, fieldText, ownFields, type WideSite, type Work } from './site.ts';
import type { Result } from './types.ts';

const PROPERTY = storageKey('checklist');
const nothing: Result = { outcome: 'skipped' };

/**
 * Gives issues the checklists that another edition of ours has stored under its key. An issue that has one of this edition,
 * be it an empty one, keeps it: so each is taken over once, however often this is run. What the other edition has stays.
 */
export function inheritor(site: WideSite, key: string, notes: readonly string[]): Work {
  const { tenant, checklists, pace } = site;
  const theirs = storageKey('checklist', key);
  const own = ownFields(site);

  /** A field of ours counts; one of the other edition's, which readers are shown meanwhile, does not. */
  const hasOwn = ({ source }: ChecklistView, issue: FoundIssue): boolean =>
    source === 'FIELD' ? own.some(field => fieldText(issue.fields[field]) !== undefined) : source !== 'NONE';

  async function each(issue: FoundIssue): Promise<Result> {
    const found = parseChecklistProperty(issue.properties[theirs]);
    if (!('text' in found) || readChecklist(found.text).rows.length === 0) return nothing;
    if (parseChecklistProperty(issue.properties[PROPERTY]).kind !== 'absent') return nothing;
    await pace(CALLS.read);
    const view = await checklists.read(issue.id);
    if (hasOwn(view, issue)) return nothing;
    await pace(CALLS.change);
    const { epoch, seq, hash, text } = view;
    await checklists.change({
      issueId: issue.id,
      // The same whenever it is tried: cut off after it was made, it is not made again.
      clientId: `inherit:${hashText(found.text)}`,
      base: { epoch, seq, hash, text },
      edit: {
        kind: 'updateChecklistFromText',
        text: found.text,
        ...(found.kind === 'ours' && { name: found.name }),
      },
    });
    return { outcome: 'done' };
  }

  return {
    fields: own,
    properties: [PROPERTY, theirs],
    notes,
    each,
    finish: tx => noteInherited(tx, tenant.id),
  };
}
