import * as z from 'zod';
import { jobs } from '../../domain/messages.ts';
import { FIELD_NAME } from '../../domain/storage.ts';
import { convert } from '../../text/convert.ts';
import { readChecklist } from '../../text/read.ts';
import type { ChecklistView } from '../checklists/types.ts';
import { hashText } from '../common/hash.ts';
import { itemCount } from '../common/reading.ts';
import type { TrackerField } from '../platform/tracker/fields.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import { findImported, noteImported } from '../queue/wide-records.ts';
import type { ImportTask, Result, Scope } from '../queue/wide-types.ts';
import { CALLS, fieldText, ownFields, type WideSite, type Work } from './site.ts';

/**
 * Where Issue Checklist keeps a checklist that others may read (its documentation, "Custom fields" and "Entity
 * properties"): in a field as text, in one without descriptions, and in a property with the items' lines.
 */
const FIELD_NAMES = [FIELD_NAME, `${FIELD_NAME} (view-only)`];
export const RIVAL_PROPERTY = 'checklist';

const propertyShape = z.object({
  items: z.union([z.string(), z.array(z.string()).transform(lines => lines.join('\n'))]),
});

/** The fields of those names that are not ours, the fullest first. */
export const rivalFields = (fields: readonly TrackerField[]): string[] =>
  FIELD_NAMES.flatMap(name => fields.filter(field => field.name === name && !field.own).map(({ id }) => id));

/** The rival's text of an issue: from its fields, else from its property. */
export function rivalText(issue: FoundIssue, fields: readonly string[]): string | undefined {
  const inField = fields.map(field => fieldText(issue.fields[field])).find(text => text !== undefined);
  if (inField !== undefined) return inField;
  return fieldText(propertyShape.safeParse(issue.properties[RIVAL_PROPERTY]).data?.items);
}

const nothing: Result = { outcome: 'skipped' };

/** The checklist's new text, `undefined` where it is to stay as it is. */
function importedText({ mode }: ImportTask, present: string, text: string): string | undefined {
  if (present === '' || mode === 'OVERRIDE') return text;
  return mode === 'APPEND' ? `${present.replace(/\n+$/, '')}\n${text}` : undefined;
}

/**
 * KeyedMutex Issue Checklist's checklists into ours. What was imported before and has not changed there is left alone, unless
 * somebody asks for that one issue to have it in place of its checklist, or where it has none.
 */
export function importer(site: WideSite, task: ImportTask, scope: Scope): Work {
  const { tenant, store, checklists, pace } = site;
  const own = ownFields(site);
  const rivals = rivalFields(site.fields).filter(id => !own.includes(id));

  /** The issue's own checklist, '' where it has no rows; a rival's text, which readers are shown too, is none. */
  function presentText({ source, text }: ChecklistView, issue: FoundIssue): string {
    const ours =
      source === 'FIELD' ? own.some(field => fieldText(issue.fields[field]) !== undefined) : source !== 'NONE';
    return ours && readChecklist(text).rows.length > 0 ? text : '';
  }

  async function each(issue: FoundIssue): Promise<Result> {
    const found = rivalText(issue, rivals);
    if (found === undefined) return nothing;
    const source = hashText(found);
    const before = await store.tenant(tenant.id, tx => findImported(tx, tenant.id, issue.id));
    const { text } = convert(found, 'issue-checklist');
    const items = itemCount(text);
    const known = before?.source === source;
    if ((known && scope.kind !== 'issue') || items === 0) return nothing;

    await pace(CALLS.read);
    const view = await checklists.read(issue.id);
    const present = presentText(view, issue);
    if (known && present !== '' && task.mode !== 'OVERRIDE') return nothing;
    const next = importedText(task, present, text);
    if (next === undefined || (view.source === 'PROPERTY' && next === view.text)) return nothing;
    if (task.dryRun) return { outcome: 'done', message: jobs.wouldImport(items) };

    await pace(CALLS.change);
    const { epoch, seq, hash } = view;
    await checklists.change({
      issueId: issue.id,
      // The same for everybody: cut off after it was made, it is not made again. One that was noted is over.
      clientId: `import:${source}:${before?.times ?? 0}`,
      base: { epoch, seq, hash, text: view.text },
      edit: { kind: 'updateChecklistFromText', text: next },
    });
    await store.tenant(tenant.id, tx => noteImported(tx, tenant.id, issue.id, source));
    return { outcome: 'done', message: jobs.imported(items) };
  }

  return { fields: [...own, ...rivals], properties: [RIVAL_PROPERTY], each };
}
