import { sql } from 'kysely';
import type { SearchQuery } from '../../../domain/api/schemas.ts';
import { api } from '../../../domain/messages.ts';
import { Refused } from '../../errors/refused.ts';
import { isIssueId } from '../../platform/tracker/issue.ts';
import type { Store } from '../../store/store.ts';
import type { Tx } from '../../store/tables.ts';
import { withNewest } from '../read/revisions.ts';
import type { Site } from './site.ts';

/** A found checklist, by its index. */
export interface FoundChecklist {
  issue: string;
  key: string | null;
  project: string | null;
  epoch: string;
  seq: number;
  hash: string;
  name: string;
  items: number;
  open: number;
  mandatory: number;
  due: string | null;
}

export interface FoundPage {
  checklists: FoundChecklist[];
  /** Id of the last issue of the page, if there are more. */
  next: string | null;
}

export interface Search extends Omit<SearchQuery, 'first'> {
  first: number;
  /** Only issues of these projects. */
  within: readonly string[] | undefined;
}

/** The id of a project by its key, from the keys of known issues. */
async function projectOf(store: Store, tenant: string, idOrKey: string): Promise<string | undefined> {
  if (isIssueId(idOrKey)) return idOrKey;
  const prefix = `${idOrKey.toUpperCase()}-`;
  const row = await store.tenant(tenant, tx =>
    tx
      .selectFrom('checklist')
      .select('project')
      .where('tenant', '=', tenant)
      .where('project', 'is not', null)
      .where(sql<boolean>`starts_with(key, ${prefix})`)
      .limit(1)
      .executeTakeFirst(),
  );
  return row?.project ?? undefined;
}

/** The open items of a person in a checklist. */
const itemsOf = (tx: Tx, tenant: string, account: string) =>
  tx
    .selectFrom('assigned_item')
    .select('position')
    .where('assigned_item.tenant', '=', tenant)
    .where('assigned_item.issue', '=', sql.ref<string>('checklist.issue'))
    .where('assigned_item.account', '=', account);

// Issue ids are numbers of any length, compared by bytes.
const issueOf = sql<string>`checklist.issue collate "C"`;

function matching(tx: Tx, tenant: string, { open, assignee, due, after, within }: Search, project: string | undefined) {
  let query = withNewest(tx)
    .leftJoin('sync', join =>
      join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
    )
    .where('checklist.tenant', '=', tenant)
    .where('revision.seq', 'is not', null)
    .where('checklist.items', '>', 0)
    // Issues that the tracker does not show to the app are left out.
    .where('checklist.project', 'is not', null)
    .where('sync.missing', 'is', null);
  if (project !== undefined) query = query.where('checklist.project', '=', project);
  if (within) query = query.where('checklist.project', '=', sql<string>`any(${[...within]}::text[])`);
  if (after !== undefined) {
    query = query.where(sql<boolean>`(length(checklist.issue), ${issueOf}) < (${after.length}, ${after})`);
  }
  if (assignee !== undefined) {
    const assignedItems = itemsOf(tx, tenant, assignee);
    const incomplete = assignedItems.where('checked', '=', false);
    query = query.where(({ exists }) => exists(assignedItems));
    if (open !== undefined) {
      query = query.where(({ exists, not }) => (open ? exists(incomplete) : not(exists(incomplete))));
    }
    if (due !== undefined) query = query.where(({ exists }) => exists(incomplete.where('due', '<=', due)));
    return query;
  }
  if (open !== undefined) query = query.where('checklist.open', open ? '>' : '=', 0);
  if (due !== undefined) query = query.where('checklist.due', '<=', due);
  return query;
}

/** Finds checklists by the app's own indexes, without a call to the tracker: newest issues first. */
export async function searchChecklists(site: Site, search: Search): Promise<FoundPage> {
  const { store, tenant } = site;
  const { project, first, within } = search;
  const projectId = project === undefined ? undefined : await projectOf(store, tenant.id, project);
  if (project !== undefined && (projectId === undefined || within?.includes(projectId) === false)) {
    throw new Refused('NOT_FOUND', api.unknownProject, 'project');
  }
  const rows = await store.tenant(tenant.id, tx =>
    matching(tx, tenant.id, search, projectId)
      .select(['checklist.issue', 'checklist.key', 'checklist.project', 'checklist.due'])
      .select(['checklist.items', 'checklist.open', 'checklist.open_mandatory'])
      .select(['revision.epoch', 'revision.seq', 'revision.hash', 'revision.name'])
      .orderBy(sql`length(checklist.issue)`, 'desc')
      .orderBy(issueOf, 'desc')
      .limit(first + 1)
      .execute(),
  );
  const checklists = rows.slice(0, first).map(({ open_mandatory, epoch, seq, hash, name, ...about }) => ({
    ...{ ...about, mandatory: open_mandatory },
    ...{ epoch: epoch ?? '', seq: seq ?? 0, hash: hash ?? '', name: name ?? '' },
  }));
  return { checklists, next: rows.length > first ? (checklists.at(-1)?.issue ?? null) : null };
}
