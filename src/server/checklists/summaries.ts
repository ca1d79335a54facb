import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { PermissionFlags } from '../../domain/permissions.ts';
import { isChecklistField } from '../../domain/storage.ts';
import { progressOf } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import type { Progress } from '../../text/types.ts';
import type { Tenant } from '../platform/tenants.ts';
import { readIssues } from '../platform/tracker/bulk-issues.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { listFields } from '../platform/tracker/fields.ts';
import type { Store } from '../store/store.ts';
import { firstStored } from './copies/stored.ts';
import { withNewest } from './revisions.ts';
import { fieldIfKnown, type Site } from './site.ts';

/** The progress of an issue's checklist, and an account's permissions on it. */
export interface ChecklistSummary {
  issueId: string;
  may: PermissionFlags;
  progress: Progress;
}

type Field = { id: string; name: string };
/** The fields of a site with a checklist's name. */
export type NamedFields = (tenant: Tenant, tracker: Tracker) => Promise<readonly Field[]>;

/** Milliseconds for which an answer is cached, and most cached sites. */
const KEPT = 600_000;
const MOST = 1_000;

export function createNamedFields(now: () => number = Date.now): NamedFields {
  const known = new LRUCache<string, { until: number; fields: readonly Field[] }>({ max: MOST });
  return async ({ id, epoch }, tracker) => {
    const key = `${id} ${epoch}`;
    const cached = known.get(key);
    if (cached && cached.until > now()) return cached.fields;
    const fields = (await listFields(tracker)).filter(({ own, name }) => own || isChecklistField(name));
    known.set(key, { until: now() + KEPT, fields });
    return fields;
  };
}

/** The texts and projects of the issues that the database knows, by issue. */
async function knownTexts(store: Store, tenant: string, issues: readonly string[]) {
  const rows = await store.tenant(tenant, tx =>
    withNewest(tx)
      .select(['checklist.issue', 'checklist.project', 'revision.text'])
      .where('checklist.tenant', '=', tenant)
      .where('checklist.issue', '=', sql<string>`any(${[...issues]}::text[])`)
      .execute(),
  );
  return new Map(rows.map(({ issue, project, text }) => [issue, { project: project ?? undefined, text: text ?? '' }]));
}

/** The checklists of unknown issues, by one or two calls to the tracker. Deleted issues are left out. */
async function storedTexts(site: Site, named: NamedFields, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { tenant, tracker } = site;
  const [fields, ownField] = await Promise.all([
    named(tenant, tracker).catch((error: unknown) => {
      site.onError(error);
      return [];
    }),
    fieldIfKnown(site),
  ]);
  const chosen = ownField !== undefined && !fields.some(({ id }) => id === ownField);
  const wanted = chosen ? [...fields, { id: ownField, name: '' }] : fields;
  const issues = await readIssues(tracker, ids, wanted);
  return [...issues].map(([id, issue]): [string, { project: string | undefined; text: string }] => {
    return [id, { project: issue.project, text: firstStored(issue, ownField).text }];
  });
}

/**
 * The progress of the checklist of each issue. `flags` are the account's permissions; issues without the permission to
 * view the checklist, and deleted ones, are left out.
 */
export async function summariesOf(
  site: Site,
  named: NamedFields,
  flags: ReadonlyMap<string, PermissionFlags>,
): Promise<ChecklistSummary[]> {
  const viewable = [...flags].flatMap(([id, { canViewChecklist }]) => (canViewChecklist ? id : []));
  const known = await knownTexts(site.store, site.tenant.id, viewable);
  const others = await storedTexts(
    site,
    named,
    viewable.filter(id => !known.has(id)),
  );
  const registries = await site.registries();
  const texts = new Map([...known, ...others]);
  return viewable.flatMap(issueId => {
    const may = flags.get(issueId);
    const found = texts.get(issueId);
    if (!may || !found) return [];
    const { rows } = readChecklist(found.text, registries.of(found.project));
    return { issueId, may, progress: progressOf(rows) };
  });
}
