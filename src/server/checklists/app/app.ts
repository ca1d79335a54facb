import { sql } from 'kysely';
import { api } from '../../../domain/messages.ts';
import { diagnose } from '../../../text/diagnose.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import type { AppPermission } from '../../auth/app-permission.ts';
import type { Turns } from '../../common/mutex.ts';
import { readText } from '../../common/reading.ts';
import { type RefusedFinding, RefusedText } from '../../errors/refused.ts';
import { type MadeRequest, makeChange } from '../change/apply.ts';
import { dryRun } from '../change/dry-run.ts';
import { historyOf, revisionAt } from '../history.ts';
import { loadReading } from '../read.ts';
import { newestFirst } from '../revisions.ts';
import type { Site } from '../site.ts';
import type {
  ChangeOutcome,
  ChangeRequest,
  ChecklistReading,
  History,
  HistoryPage,
  Position,
  Revision,
} from '../types.ts';
import { type AppIssue, findIssue } from './issue.ts';
import { type FoundPage, type Search, searchChecklists } from './search.ts';

/** A change that no user makes. */
export interface AppChange extends ChangeRequest {
  /** Id of the issue's project. */
  project: string;
  /** Answers what the change would give, and stores nothing. */
  isDryRun: boolean;
  /** Refuses a change that brings findings. */
  refusesFindings: boolean;
}

export interface AppOutcome extends ChangeOutcome {
  /** What the change brings that was probably not meant so. */
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
  statuses(project: string): Promise<StatusRegistry>;
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
  /** Runs long dry runs. */
  inTurn: Turns;
}

/** What was probably not meant so in a text, in its order. Sizes are the merge's to refuse. */
function findingsIn(text: string, statuses: StatusRegistry, like?: string): RefusedFinding[] {
  const checklist = readText(text, statuses, like);
  let row = -1;
  return diagnose(checklist).map(({ from, code, message, line, column }) => {
    while ((checklist.starts[row + 1] ?? Number.POSITIVE_INFINITY) <= from) row += 1;
    const at = checklist.rows[row];
    return { code, message, line, column, ...(at ? { row, text: at.text } : { row: null, text: null }) };
  });
}

/** The findings that a change adds: those of rows that had them before are left out. */
function newFindings(before: string, after: string, statuses: StatusRegistry): RefusedFinding[] {
  const keyOf = ({ code, text }: RefusedFinding) => `${code} ${text}`;
  const known = new Map<string, number>();
  for (const finding of findingsIn(before, statuses)) {
    known.set(keyOf(finding), (known.get(keyOf(finding)) ?? 0) + 1);
  }
  return findingsIn(after, statuses, before).filter(finding => {
    const left = known.get(keyOf(finding)) ?? 0;
    known.set(keyOf(finding), left - 1);
    return left <= 0;
  });
}

export function appChecklists({ site, account, permission, inTurn }: AppChecklistsOptions): AppChecklists {
  const { store, tenant, tracker } = site;
  const placeOf = (issue: string) => ({ tenant: tenant.id, issue });

  /** The findings of a change that was made before, from its revision and the one before it. */
  async function findingsOf({ checklist: { issueId, epoch, seq } }: ChangeOutcome, statuses: StatusRegistry) {
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
    return made ? newFindings(before?.text ?? '', made.text, statuses) : [];
  }

  async function change({ project, isDryRun, refusesFindings, ...request }: AppChange): Promise<AppOutcome> {
    await permission.requireEdit(tenant, tracker, project);
    let findings: RefusedFinding[] | undefined;
    const check: MadeRequest['check'] = (base, text, statuses) => {
      findings = newFindings(base, text, statuses);
      if (refusesFindings && !isDryRun && findings.length > 0) throw new RefusedText(api.diagnosed, findings);
    };
    const checked = { ...request, check };
    const made = await (isDryRun ? dryRun(site, account, checked, inTurn) : makeChange(site, account, checked));
    if (!findings && refusesFindings) return { ...made, findings: [] };
    return { ...made, findings: findings ?? (await findingsOf(made, await site.statuses(project))) };
  }

  return {
    find: (idOrKey, isStrict) => findIssue(site, idOrKey, isStrict),
    statuses: project => site.statuses(project),
    read: issueId => loadReading(site, issueId),
    async history({ id, project }, page) {
      return historyOf(store, placeOf(id), page, await site.statuses(project));
    },
    revision: (issueId, position) => revisionAt(store, placeOf(issueId), position),
    change,
    search: search => searchChecklists(site, search),
  };
}
