import { jobs, storage } from '../../domain/messages.ts';
import {
  type CheckedIssue,
  type CheckSite,
  checkIssues,
  countKnown,
  knownIssues,
  markIndexesStale,
} from '../checklists/check.ts';
import { refreshStored } from '../checklists/stale.ts';
import type { Result, Scope } from '../queue/wide-types.ts';
import { CALLS, type WideSite, type Work } from './site.ts';

/** Issues that are compared by one call. */
const PAGE_SIZE = 50;

/** Compares all stored things of known issues with fresh readings, and repairs those that differ. */
export function checker(site: WideSite & Pick<CheckSite, 'tracker' | 'field'>, scope: Scope): Work {
  const { tenant, store, sync, pace, registries } = site;
  const within = {
    project: scope.kind === 'project' ? scope.id : undefined,
    issue: scope.kind === 'issue' ? scope.id : undefined,
  };
  let checked = new Map<string, CheckedIssue>();

  async function repair({ issue, differences, refused }: CheckedIssue): Promise<Result> {
    await markIndexesStale(store, tenant.id, issue);
    await refreshStored({ store, registries }, { tenant: tenant.id, issue }, undefined);
    const isLocal =
      refused.length === 0 &&
      differences.every(thing => thing !== 'property' && thing !== 'field' && thing !== 'schedule');
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
        const found = await checkIssues({ ...site, registries }, ids);
        checked = new Map(found.map(each => [each.issue, each]));
        return {
          issues: found.map(({ issue, key }) => ({ id: issue, key: key ?? issue, fields: {}, properties: {} })),
          next: ids.length < PAGE_SIZE ? null : (ids.at(-1) ?? null),
        };
      },
    },
    async each({ id }) {
      const found = checked.get(id);
      if (!found) return { outcome: 'skipped' };
      if (found.differences.length > 0 || found.refused.length > 0) return repair(found);
      return { outcome: 'done' };
    },
  };
}
