import { sql } from 'kysely';
import * as v from 'valibot';
import { storage } from '../../../domain/messages.ts';
import { parseAs } from '../../../domain/shape.ts';
import { Refused } from '../../errors/refused.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { isIssueId, isIssueKey, readIssueWithChanges, readProject } from '../../platform/tracker/issue.ts';
import { statement } from '../../store/statement.ts';
import { adopt } from '../commit/adopt.ts';
import { commit } from '../commit/commit.ts';
import type { Site } from './site.ts';

/** An issue as the app sees it. */
export interface AppIssue {
  id: string;
  /** `null` while it is not known. */
  key: string | null;
  project: string;
}

const knownShape = v.object({
  issue: v.string(),
  key: v.nullable(v.string()),
  project: v.nullable(v.string()),
  /** The tracker does not show the issue to the app. */
  isMissing: v.boolean(),
  /** The issue may have moved since it was read, or was forgotten. */
  isStale: v.boolean(),
});

type Known = v.InferOutput<typeof knownShape>;

const find = statement((db, { tenant, id, key }: { tenant: string; id: string; key: string }) =>
  db
    .selectFrom('checklist')
    .leftJoin('sync', join =>
      join.onRef('sync.tenant', '=', 'checklist.tenant').onRef('sync.issue', '=', 'checklist.issue'),
    )
    .select(({ eb, or }) => [
      'checklist.issue',
      'checklist.key',
      'checklist.project',
      eb('sync.missing', 'is not', null).as('isMissing'),
      or([eb('sync.issue', 'is', null), eb('sync.hints', '>', eb.ref('sync.hints_read'))]).as('isStale'),
    ])
    .where('checklist.tenant', '=', tenant)
    .where(({ eb, or }) => or([eb('checklist.issue', '=', id), eb('checklist.key', '=', key)]))
    // A deleted project's keys can be given again.
    .orderBy('isMissing')
    .orderBy('isStale')
    .limit(1),
);

/** Stores an issue's key, which no other issue has any more. */
const noteKey = statement((db, { tenant, issue, key }: { tenant: string; issue: string; key: string }) =>
  db
    .updateTable('checklist')
    .set({ key: sql<string | null>`case when issue = ${issue}::text then ${key}::text end` })
    .where('tenant', '=', tenant)
    .where(({ eb, or }) => or([eb('issue', '=', issue), eb('key', '=', key)])),
);

const notFound = () => new Refused('NOT_FOUND', storage.issueNotFound, 'issue');

/**
 * Reads an issue. Rejects with `NOT_FOUND` if the tracker does not show it to the app, and then for a minute without a
 * call.
 */
async function readVisible<T>({ tenant, hidden }: Site, idOrKey: string, read: () => Promise<T>): Promise<T> {
  const entry = JSON.stringify([tenant.id, tenant.epoch, idOrKey]);
  if (hidden.has(entry)) throw notFound();
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TrackerRefused && [401, 403, 404].includes(error.status))) throw error;
    hidden.set(entry, true);
    throw notFound();
  }
}

/**
 * Finds an issue by its id or key, as the app. One that the database knows costs no call, and any other one a single
 * read, which also adopts its checklist. `isStrict`: an issue that may have moved since it was read is read again. Rejects
 * with `NOT_FOUND` if the tracker does not show the issue.
 */
export async function findIssue(site: Site, idOrKey: string, isStrict: boolean): Promise<AppIssue> {
  const { store, tenant, tracker } = site;
  const [id, key] = isIssueId(idOrKey) ? [idOrKey, ''] : ['', idOrKey.toUpperCase()];
  if (id === '' && !isIssueKey(key)) throw notFound();

  const load = async (): Promise<Known | undefined> => {
    const [{ rows }] = await store.batch(tenant.id, [find({ tenant: tenant.id, id, key })]);
    return parseAs(v.array(knownShape), rows)[0];
  };

  const storedIssue = await load();
  if (!storedIssue || (id === '' && storedIssue.isMissing)) {
    const visibleIssue = await readVisible(site, id || key, () => readIssueWithChanges(tracker, id || key));
    await adopt(site, { tenant: tenant.id, issue: visibleIssue.id }, visibleIssue);
    await store.batch(tenant.id, [noteKey({ tenant: tenant.id, issue: visibleIssue.id, key: visibleIssue.key })]);
    if (visibleIssue.issue.project === undefined) throw notFound();
    return { id: visibleIssue.id, key: visibleIssue.key, project: visibleIssue.issue.project };
  }
  if (storedIssue.isMissing) throw notFound();
  const { issue, project } = storedIssue;
  if (project !== null && !(isStrict && storedIssue.isStale)) return { id: issue, key: storedIssue.key, project };
  const currentProject = await readVisible(site, issue, () => readProject(tracker, issue));
  // Stored as a move is, by which the indexes follow.
  const moved = { project: currentProject.id, key: currentProject.key };
  await site.texts.inTurnIfLarge(run => commit(site, { tenant: tenant.id, issue }, [], run, moved));
  return { id: issue, key: currentProject.key, project: currentProject.id };
}
