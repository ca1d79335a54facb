import { sql } from 'kysely';
import type { PermissionFlags } from '../../../domain/permissions.ts';
import { isBuiltIn } from '../../../text/head.ts';
import { percentOf } from '../../../text/progress.ts';
import type { Progress } from '../../../text/types.ts';
import { readIssues } from '../../platform/tracker/bulk-issues.ts';
import type { SiteStatuses } from '../../statuses/registries.ts';
import type { Store } from '../../store/store.ts';
import { runInParts } from '../../text-workers/task.ts';
import { progressTask } from '../decide/derived.ts';
import type { Site } from '../service/site.ts';
import { withNewest } from './revisions.ts';
import { firstStored } from './stored.ts';

/** The progress of an issue's checklist, and an account's permissions on it. */
export interface ChecklistSummary {
  issueId: string;
  may: PermissionFlags;
  progress: Progress;
}

/** An issue's checklist whose text has to be read. */
interface Unread {
  issueId: string;
  project: string | undefined;
  text: string;
}

/**
 * The checklists of the issues that the database knows: counted, or with the text if it may name statuses: an item has the
 * flag that its status has now.
 */
async function loadStored(store: Store, tenant: string, issues: readonly string[], statuses: SiteStatuses) {
  const text = sql<
    string | null
  >`case when ${hasOwn(statuses)}::boolean and strpos(revision.text, '[') > 0 then revision.text end`;
  const rows = await store.tenant(tenant, tx =>
    withNewest(tx)
      .select(['checklist.issue', 'checklist.project', text.as('text')])
      .select(['checklist.items', 'checklist.open', 'checklist.open_mandatory'])
      .where('checklist.tenant', '=', tenant)
      .where('checklist.issue', '=', sql<string>`any(${[...issues]}::text[])`)
      .execute(),
  );
  const counted = new Map<string, Progress>();
  const unread: Unread[] = [];
  for (const { issue, project, text, items, open, open_mandatory } of rows) {
    if (text !== null) unread.push({ issueId: issue, project: project ?? undefined, text });
    else counted.set(issue, countedProgress(items, open, open_mandatory));
  }
  return { counted, unread };
}

/** Whether the site, or some project, has statuses of its own. */
const hasOwn = (statuses: SiteStatuses): boolean =>
  statuses.ofProjects || !statuses.of(undefined).list.every(isBuiltIn);

function countedProgress(total: number, open: number, mandatoryOpen: number): Progress {
  const checked = total - open;
  return { total, checked, percent: percentOf(checked, total), mandatoryOpen };
}

/** The checklists of unknown issues, by one or two calls to the tracker. Deleted issues are left out. */
async function storedTexts(site: Site, ids: readonly string[]): Promise<Unread[]> {
  if (ids.length === 0) return [];
  const [fields, ownField] = await Promise.all([site.namedFields(), site.field()]);
  const chosen = ownField !== undefined && !fields.some(({ id }) => id === ownField);
  const fieldsToRead = chosen ? [...fields, { id: ownField, name: '' }] : fields;
  const issues = await readIssues(site.tracker, ids, fieldsToRead);
  return [...issues].map(([issueId, issue]) => {
    return { issueId, project: issue.project, text: firstStored(issue, ownField).text };
  });
}

/**
 * The progress of the checklist of each issue. `flags` are the account's permissions; issues without the permission to
 * view the checklist, and deleted ones, are left out. Texts are read only if they are not counted.
 */
export async function summariesOf(
  site: Site,
  flags: ReadonlyMap<string, PermissionFlags>,
): Promise<ChecklistSummary[]> {
  const viewable = [...flags].flatMap(([id, { canViewChecklist }]) => (canViewChecklist ? id : []));
  const registries = await site.registries();
  const { counted, unread } = await loadStored(site.store, site.tenant.id, viewable, registries);
  const foundIds = new Set([...counted.keys(), ...unread.map(({ issueId }) => issueId)]);
  const otherTexts = await storedTexts(
    site,
    viewable.filter(id => !foundIds.has(id)),
  );
  const textsToCount = [...unread, ...otherTexts];
  const texts = textsToCount.map(({ project, text }) => ({ text, statuses: registries.listOf(project) }));
  const progress = await runInParts(site.texts.run, progressTask, texts);
  const progresses = new Map([
    ...counted,
    ...textsToCount.map(({ issueId }, index) => [issueId, progress[index]] as const),
  ]);
  return viewable.flatMap(issueId => {
    const [may, progress] = [flags.get(issueId), progresses.get(issueId)];
    return may && progress ? { issueId, may, progress } : [];
  });
}
