import { jobs, storage } from '../../domain/messages.ts';
import { countStale, refreshStored, type StaleScope, staleIssues } from '../checklists/commit/stale.ts';
import {
  type CheckedIssue,
  type CheckSite,
  checkIssues,
  countKnown,
  hasFinding,
  knownIssues,
  refusedCopies,
  resetDerived,
  type StoredThing,
} from '../copies/check.ts';
import type { Result, Scope } from '../queue/wide-types.ts';
import { CALLS, resultOf, type WideSite, type Work } from './site.ts';

/** The issues of a page are compared by one call. */
const PAGE_SIZE = 50;

/** The differences that a read of the issue mends. */
const readAgain: ReadonlySet<StoredThing> = new Set(['property', 'field', 'verdict', 'schedule']);

/**
 * Compares the stored data of known issues with fresh readings, and repairs the differences. Only repaired issues count
 * as done.
 */
export function checker(site: WideSite & Pick<CheckSite, 'tracker' | 'field'>, scope: Scope): Work {
  const { tenant, store, sync, pace } = site;
  const within = {
    project: scope.kind === 'project' ? scope.id : undefined,
    issue: scope.kind === 'issue' ? scope.id : undefined,
  };
  let checked = new Map<string, CheckedIssue>();

  async function repair(checkedIssue: CheckedIssue): Promise<Result> {
    const { issue, differences } = checkedIssue;
    await resetDerived(store, tenant.id, issue);
    await refreshStored(site, { tenant: tenant.id, issue }, false);
    const isLocal = refusedCopies(checkedIssue).length === 0 && !differences.some(thing => readAgain.has(thing));
    if (isLocal) return { outcome: 'done', message: jobs.repaired(differences) };
    await pace(CALLS.refresh + CALLS.write);
    const state = await sync.equalize(issue);
    if (state.isEqual) return { outcome: 'done', message: jobs.repaired(differences) };
    return { outcome: 'failed', message: state.isMissing ? storage.issueNotFound : (state.notice ?? jobs.notEqual) };
  }

  return {
    fields: [],
    properties: [],
    list: {
      count: () => countKnown(store, tenant.id, within),
      async page(page) {
        const ids = await knownIssues(store, tenant.id, within, { after: page ?? '', most: PAGE_SIZE });
        const checkedIssues = await checkIssues(site, ids);
        checked = new Map(checkedIssues.map(each => [each.issue, each]));
        return {
          issues: checkedIssues.map(({ issue, key }) => ({ id: issue, key: key ?? issue, fields: {}, properties: {} })),
          next: ids.length < PAGE_SIZE ? null : (ids.at(-1) ?? null),
        };
      },
    },
    async each({ id }) {
      const checkedIssue = checked.get(id);
      if (!checkedIssue) return { outcome: 'skipped' };
      return hasFinding(checkedIssue) ? repair(checkedIssue) : { outcome: 'skipped' };
    },
  };
}

/**
 * Makes what was made with other statuses anew: first the indexes of an issue, without a call to the tracker, then its
 * property if that gets another value: only these count as done. The issues are those that one statement finds stale.
 */
export function refresher(site: WideSite, scope: Scope): Work {
  const { tenant, store, sync, pace } = site;
  const stale: StaleScope = {
    ...{ tenant: tenant.id, kind: 'all' },
    project: scope.kind === 'project' ? scope.id : null,
  };
  return {
    fields: [],
    properties: [],
    list: {
      count: () => countStale(store, stale),
      async page(page) {
        const issues = await staleIssues(store, stale, { after: page ?? '', most: PAGE_SIZE });
        return {
          issues: issues.map(({ issue, key }) => ({ id: issue, key: key ?? issue, fields: {}, properties: {} })),
          next: issues.length < PAGE_SIZE ? null : (issues.at(-1)?.issue ?? null),
        };
      },
    },
    async each({ id }) {
      const isDue = await refreshStored(site, { tenant: tenant.id, issue: id }, true);
      if (!isDue) return { outcome: 'skipped' };
      await pace(CALLS.write);
      return resultOf(await sync.writeProperty(id));
    },
  };
}
