import type { PermissionFlags } from '../../domain/permissions.ts';
import { isChecklistField } from '../../domain/storage.ts';
import { progressOf } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import type { Progress } from '../../text/types.ts';
import type { Tenant } from '../connect/tenants.ts';
import type { Store } from '../store/store.ts';
import type { Tracker } from '../tracker/client.ts';
import { listFields } from '../tracker/fields.ts';
import { readIssues } from '../tracker/many.ts';
import { readStored } from './read.ts';
import { fieldIfKnown, type Site } from './site.ts';
import { firstStored } from './stored.ts';

/** How far the checklist of an issue is, and what somebody may do with it. */
export interface ChecklistSummary {
  issueId: string;
  may: PermissionFlags;
  progress: Progress;
}

type Field = { id: string; name: string };
/** The fields of a site that bear a checklist's name. */
export type NamedFields = (tenant: Tenant, tracker: Tracker) => Promise<readonly Field[]>;

/** Milliseconds for which the answer is kept, and sites of which it is. */
const KEPT = 600_000;
const MOST = 1_000;

export function createNamedFields(now: () => number = Date.now): NamedFields {
  const known = new Map<string, { until: number; fields: readonly Field[] }>();
  return async ({ id, epoch }, tracker) => {
    const key = `${id} ${epoch}`;
    const kept = known.get(key);
    if (kept && kept.until > now()) return kept.fields;
    const fields = (await listFields(tracker)).filter(({ own, name }) => own || isChecklistField(name));
    if (known.size >= MOST) known.clear();
    known.set(key, { until: now() + KEPT, fields });
    return fields;
  };
}

/** Those of the issues that we ever wrote. */
async function written(store: Store, tenant: string, issues: readonly string[]): Promise<ReadonlySet<string>> {
  if (issues.length === 0) return new Set();
  const rows = await store.tenant(tenant, tx =>
    tx
      .selectFrom('revision')
      .select('issue')
      .distinct()
      .where('tenant', '=', tenant)
      .where('issue', 'in', [...issues])
      .execute(),
  );
  return new Set(rows.map(({ issue }) => issue));
}

/**
 * Of each of these issues how far its checklist is, by two calls to the tracker at most. `flags` says what somebody may do
 * there; an issue whose checklist he may not view is left out, and so is one that has gone.
 */
export async function summariesOf(
  site: Site,
  named: NamedFields,
  flags: ReadonlyMap<string, PermissionFlags>,
): Promise<ChecklistSummary[]> {
  const { tenant, tracker, store } = site;
  const viewable = [...flags].flatMap(([id, { canViewChecklist }]) => (canViewChecklist ? id : []));
  const [fields, ownField] = await Promise.all([
    named(tenant, tracker).catch((error: unknown) => {
      site.onError(error);
      return [];
    }),
    fieldIfKnown(site),
  ]);
  const chosen = ownField !== undefined && !fields.some(({ id }) => id === ownField);
  const wanted = chosen ? [...fields, { id: ownField, name: '' }] : fields;
  const issues = await readIssues(tracker, viewable, wanted);
  const stored = [...issues].map(([id, issue]) => ({ id, issue, first: firstStored(issue, ownField) }));
  // What was taken away from the tracker behind our back is still what was written last.
  const missing = stored.flatMap(({ id, first }) => (first.source === 'NONE' ? id : []));
  const ours = await written(store, tenant.id, missing);
  const found: ChecklistSummary[] = [];
  for (const { id, issue, first } of stored) {
    const may = flags.get(id);
    if (!may) continue;
    const text = ours.has(id) ? (await readStored(site, id)).text : first.text;
    const { rows } = readChecklist(text, await site.statuses(issue.project));
    found.push({ issueId: id, may, progress: progressOf(rows) });
  }
  return found;
}
