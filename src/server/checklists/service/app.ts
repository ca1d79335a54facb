import { sql } from 'kysely';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import type { AppPermission } from '../../access/app-permission.ts';
import type { RefusedFinding } from '../../errors/refused.ts';
import type { RunTask } from '../../text-workers/task.ts';
import { dryRun } from '../commit/commit.ts';
import { makeChange, type PermittedRequest, workOf } from '../commit/request.ts';
import { addedFindings } from '../decide/findings.ts';
import { historyOf, revisionAt } from '../read/history.ts';
import { loadReading } from '../read/reading.ts';
import { newestFirst } from '../read/revisions.ts';
import { type AppIssue, findIssue } from './issue.ts';
import { type FoundPage, type Search, searchChecklists } from './search.ts';
import type { Site } from './site.ts';
import type {
  ChangeOutcome,
  ChangeRequest,
  ChecklistReading,
  History,
  HistoryPage,
  Position,
  Revision,
} from './types.ts';

/** A change that no user makes. */
export interface AppChange extends ChangeRequest {
  /** Id of the issue's project. */
  project: string;
  /** Answers with the result that the change would have, and stores nothing. */
  isDryRun: boolean;
  /** Whether a change that brings findings is refused, or made and answered with them. Otherwise none are computed. */
  findings: 'refuse' | 'report' | 'ignore';
}

export interface AppOutcome extends ChangeOutcome {
  /** Findings in the added text, which the author probably did not intend. */
  findings: readonly RefusedFinding[];
}

/**
 * The checklists of one tenant as the app sees and changes them. The caller checks which issues a request is about. Every
 * refusal is a `Refused`.
 */
export interface AppChecklists {
  /** See `findIssue`. */
  find(idOrKey: string, isStrict: boolean): Promise<AppIssue>;
  /** The statuses of a project's issues. */
  statuses(project: string): Promise<readonly RegistryStatus[]>;
  /** Runs tasks over texts for the account. */
  run: RunTask;
  read(issueId: string): Promise<ChecklistReading>;
  history(issue: Pick<AppIssue, 'id' | 'project'>, page: HistoryPage): Promise<History>;
  revision(issueId: string, position: Position): Promise<Revision>;
  change(request: AppChange): Promise<AppOutcome>;
  search(search: Search): Promise<FoundPage>;
}

export interface AppChecklistsOptions {
  site: Site;
  /** The author of changes. */
  account: string;
  permission: AppPermission;
}

export function appChecklists({ site, account, permission }: AppChecklistsOptions): AppChecklists {
  const { store, tenant, tracker } = site;
  const { run } = site.texts;
  const statusesOf = async (project: string) => (await site.registries()).listOf(project);
  const placeOf = (issue: string) => ({ tenant: tenant.id, issue });

  /** The texts before and after an earlier change: of its revision, and of the previous revision. */
  async function textsOf({ checklist: { issueId, epoch, seq } }: ChangeOutcome) {
    const place = placeOf(issueId);
    const [made, before] = await store.tenant(tenant.id, tx =>
      newestFirst(tx, place)
        .where(
          sql<boolean>`(created, seq) <= (select created, seq from revision where tenant = ${tenant.id}
            and issue = ${issueId} and epoch = ${epoch} and seq = ${seq})`,
        )
        .limit(2)
        .execute(),
    );
    return made && { before: before?.text ?? '', after: made.text };
  }

  async function change({ project, isDryRun, findings: wanted, ...request }: AppChange): Promise<AppOutcome> {
    await permission.requireEdit(tenant, tracker, project);
    const isRefused = wanted === 'refuse' && !isDryRun;
    const checked: PermittedRequest =
      wanted === 'ignore' ? request : { ...request, findings: isRefused ? 'refuse' : 'report' };
    const { findings, ...outcome } = await (isDryRun
      ? dryRun(await workOf(site, account, checked))
      : makeChange(site, account, checked));
    if (findings || isRefused || isDryRun || wanted === 'ignore') return { ...outcome, findings: findings ?? [] };
    const texts = await textsOf(outcome);
    if (!texts) return { ...outcome, findings: [] };
    return { ...outcome, findings: await run(addedFindings, { ...texts, statuses: await statusesOf(project) }) };
  }

  return {
    find: (idOrKey, isStrict) => findIssue(site, idOrKey, isStrict),
    statuses: statusesOf,
    run,
    read: issueId => loadReading(site, issueId),
    async history({ id, project }, page) {
      const statuses = await statusesOf(project);
      return site.texts.oneByOne(runTask => historyOf({ store, run: runTask, statuses }, placeOf(id), page));
    },
    revision: (issueId, position) => revisionAt(store, placeOf(issueId), position),
    change,
    search: search => searchChecklists(site, search),
  };
}
