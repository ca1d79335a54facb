import { countStale, refreshStored, type StaleScope, staleIssues } from '../checklists/stale.ts';
import type { Scope } from '../queue/wide-types.ts';
import { CALLS, resultOf, type WideSite, type Work } from './site.ts';

/** Issues of a page. */
const PAGE_SIZE = 50;

/**
 * Makes what was made with other statuses anew: first the indexes of an issue, without a call to the tracker, then its
 * property if that gets another value. The issues are those that one statement finds stale.
 */
export function refresher(site: WideSite, scope: Scope): Work {
  const { tenant, store, sync, pace, registries } = site;
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
      const isDue = await refreshStored({ store, registries }, { tenant: tenant.id, issue: id }, 0);
      if (!isDue) return { outcome: 'done' };
      await pace(CALLS.write);
      return resultOf(await sync.writeProperty(id));
    },
  };
}
