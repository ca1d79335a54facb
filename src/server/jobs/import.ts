import * as v from 'valibot';
import { jobs } from '../../domain/messages.ts';
import { readAs } from '../../domain/shape.ts';
import { FIELD_NAME } from '../../domain/storage.ts';
import { hasRows } from '../../text/edits/rows.ts';
import type { ChecklistView } from '../checklists/service/types.ts';
import type { TrackerField } from '../platform/tracker/fields.ts';
import type { FoundIssue } from '../platform/tracker/search.ts';
import { findImported, noteImported } from '../queue/wide-records.ts';
import type { ImportTask, Result, Scope } from '../queue/wide-types.ts';
import { hashText } from '../text-workers/hash.ts';
import { conversion } from './conversion.ts';
import { CALLS, fieldText, ownFields, type WideSite, type Work } from './site.ts';

/**
 * Storage of Issue Checklist that other apps can read (its documentation, "Custom fields" and "Entity properties"): a
 * text field, one without descriptions, and a property with the items' lines.
 */
const FIELD_NAMES = [FIELD_NAME, `${FIELD_NAME} (view-only)`];
export const RIVAL_PROPERTY = 'checklist';

const propertyShape = v.object({
  items: v.union([
    v.string(),
    v.pipe(
      v.array(v.string()),
      v.transform(lines => lines.join('\n')),
    ),
  ]),
});

/** Foreign fields of those names, the one with descriptions first. */
export const rivalFields = (fields: readonly TrackerField[]): string[] =>
  FIELD_NAMES.flatMap(name => fields.filter(field => field.name === name && !field.own).map(({ id }) => id));

/** Issue Checklist's text of an issue: from its fields, else from its property. */
export function rivalText(issue: FoundIssue, fields: readonly string[]): string | undefined {
  const inField = fields.map(field => fieldText(issue.fields[field])).find(text => text !== undefined);
  if (inField !== undefined) return inField;
  return fieldText(readAs(propertyShape, issue.properties[RIVAL_PROPERTY])?.items);
}

/** The checklist's new text, `undefined` if it stays unchanged. */
function importedText({ mode }: ImportTask, present: string, text: string): string | undefined {
  if (present === '' || mode === 'OVERRIDE') return text;
  return mode === 'APPEND' ? `${present.replace(/\n+$/, '')}\n${text}` : undefined;
}

/**
 * Imports checklists of Issue Checklist. Skips those that were imported before and have not changed since, except in a
 * job for a single issue that has no checklist or whose checklist is to be replaced.
 */
export function importer(site: WideSite, task: ImportTask, scope: Scope): Work {
  const { tenant, store, checklists, pace, texts } = site;
  const ownFieldIds = ownFields(site);
  const rivals = rivalFields(site.fields).filter(id => !ownFieldIds.includes(id));

  /**
   * The issue's own checklist, '' if it has no rows. Text of Issue Checklist, which is also displayed, does not
   * count.
   */
  function presentText({ source, text }: ChecklistView, issue: FoundIssue): string {
    const ours =
      source === 'FIELD' ? ownFieldIds.some(field => fieldText(issue.fields[field]) !== undefined) : source !== 'NONE';
    return ours && hasRows(text) ? text : '';
  }

  /** Skips an issue; only a job for a single one says why. */
  const skip = (why: string): Result => ({ outcome: 'skipped', ...(scope.kind === 'issue' && { message: why }) });

  async function each(issue: FoundIssue): Promise<Result> {
    const rivalChecklist = rivalText(issue, rivals);
    if (rivalChecklist === undefined) return skip(jobs.noSource);
    const source = hashText(rivalChecklist);
    const before = await store.tenant(tenant.id, tx => findImported(tx, tenant.id, issue.id));
    const { text, lost, items } = await texts.run(conversion, { text: rivalChecklist });
    const wasImported = before?.source === source;
    if (items === 0) return skip(jobs.noSource);
    if (wasImported && scope.kind !== 'issue') return skip(jobs.importedBefore);

    await pace(CALLS.read);
    const view = await checklists.read(issue.id);
    const present = presentText(view, issue);
    if (wasImported && present !== '' && task.mode !== 'OVERRIDE') return skip(jobs.importedBefore);
    const next = importedText(task, present, text);
    if (next === undefined || (view.source === 'PROPERTY' && next === view.text)) return skip(jobs.sameItems);
    if (task.dryRun) return { outcome: 'done', message: jobs.wouldImport(items) };

    await pace(CALLS.change);
    const { epoch, seq, hash } = view;
    await checklists.change({
      issueId: issue.id,
      // Idempotent: a change that was stored before an interruption is not repeated. Recorded imports have their own
      // ids.
      clientId: `import:${source}:${before?.times ?? 0}`,
      base: { epoch, seq, hash, text: view.text },
      edit: { kind: 'updateChecklistFromText', text: next },
    });
    await store.tenant(tenant.id, tx => noteImported(tx, tenant.id, issue.id, source));
    const losses = scope.kind === 'issue' ? lost.map(({ what }) => what) : [];
    return { outcome: 'done', message: jobs.imported(items, losses) };
  }

  return { fields: [...ownFieldIds, ...rivals], properties: [RIVAL_PROPERTY], each };
}
