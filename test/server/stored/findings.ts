import { isDeepStrictEqual } from 'node:util';
import { OUTSIDE_ACCOUNT } from '../../../src/domain/person.ts';
import { countStale } from '../../../src/server/checklists/commit/stale.ts';
import { sameField } from '../../../src/server/checklists/read/stored.ts';
import { createSiteFields, mirrorOf } from '../../../src/server/checklists/service/site.ts';
import { checkIssues, refusedCopies } from '../../../src/server/copies/check.ts';
import { differingCopies } from '../../../src/server/jobs/mirror.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createTrackers, type Trackers } from '../../../src/server/platform/tracker/trackers.ts';
import { createRegistries } from '../../../src/server/statuses/registries.ts';
import { runHere } from '../../../src/server/text-workers/task.ts';
import { unlimited } from '../support/quota.ts';
import type { TriedSite } from './site.ts';

/** The faults of a site, in words. */
export interface Findings {
  trackerOf: Trackers;
  /** The stored things of these issues, and of the projects, that differs from the texts. For an idle site. */
  differences(ids: readonly string[]): Promise<string[]>;
  /** Changes that the history does not name once, with their author. */
  authors(): Promise<string[]>;
  /** Errors since the last call that no failure of the tracker provoked. */
  logged(): string[];
}

const ERROR_LEVEL = 50;
/** An answer that is not what the tracker documents is an error of its own. */
const BUGS = /TypeError|duplicate|violates|syntax/;
const BUGS_UNLESS_BABBLING = /Mismatch|TypeError|duplicate|violates|syntax/;

export function createFindings(site: TriedSite): Findings {
  const { store, raw, state, tracker } = site;
  const trackerOf = createTrackers({
    metrics: createMetrics(),
    quota: unlimited,
    send: tracker.fetch,
    sleep: async () => {},
  });
  const registries = createRegistries(store);
  const siteFields = createSiteFields();
  let read = 0;

  async function ofIssues(ids: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    const tenant = await site.tenant();
    const background = trackerOf(tenant, { work: 'person', account: null });
    const checked = await checkIssues(
      {
        store,
        tenant,
        tracker: background,
        texts: { run: runHere },
        field: () => mirrorOf(tenant, () => siteFields(tenant, background)),
        registries: () => registries(tenant),
      },
      ids,
    );
    for (const each of checked) {
      const things = [...each.differences, ...refusedCopies(each)];
      if (things.length > 0) found.push(`issue ${each.issue}: ${things.join(', ')}`);
    }
    for (const id of ids) {
      const [row] = await raw(
        `select text, mirrored from checklist c join revision r using (tenant, issue, epoch, seq) where issue = $1`,
        [id],
      );
      if (!row?.mirrored) continue;
      const text = String(row.text);
      const [property, field] = [site.propertyText(id), site.fieldText(id)];
      if (property !== text) found.push(`issue ${id}: the property has ${property} instead of ${text}`);
      if (!sameField(field, text)) found.push(`issue ${id}: the field has ${field} instead of ${text}`);
    }
    return found;
  }

  async function ofSite(): Promise<string[]> {
    const found: string[] = [];
    const tenant = await site.tenant();
    const background = trackerOf(tenant, { work: 'person', account: null });
    const mirrors = await differingCopies({ store, tenant, tracker: background }, undefined);
    found.push(...mirrors.map(({ key, copy }) => `project ${key}: ${copy}`));
    const refused = await raw('select project, copy from project_copy');
    if (refused.length > 0) found.push(`refused: ${JSON.stringify(refused)}`);
    const stale = await countStale(store, { tenant: tenant.id, project: null, kind: 'all' });
    if (stale > 0) found.push(`${stale} stale`);
    const queue = await raw(`select name, key, failed, due from queue where failed is not null or beat is not null`);
    if (queue.length > 0) found.push(`queue: ${JSON.stringify(queue)}`);
    const open = await raw(`select kind, state from job where tenant = $1 and ended is null`, [tenant.id]);
    if (open.length > 0) found.push(`jobs: ${JSON.stringify(open)}`);
    return found;
  }

  return {
    trackerOf,
    differences: async ids => [...(await ofIssues(ids)), ...(await ofSite())],
    async authors() {
      if (site.isRestored) return [];
      const found: string[] = [];
      for (const { issue, words, authors, mayBeLost = false } of site.written) {
        const [first] = await raw(
          `select account from revision where issue = $1 and text like '%' || $2 || '%' order by created, seq limit 1`,
          [issue, words],
        );
        if (!first && mayBeLost) continue;
        const account = first === undefined ? 'no user' : String(first.account);
        if (!authors.includes(account))
          found.push(`issue ${issue}: ${words} has the author ${account} instead of ${authors.join(' or ')}`);
      }
      for (const { issue, client, kind } of site.saved) {
        const rows = await raw('select account, kind from revision where issue = $1 and client = $2', [issue, client]);
        if (!isDeepStrictEqual(rows, [{ account: 'user', kind }]))
          found.push(`issue ${issue}: a change by a user (${kind}) is in the history as ${JSON.stringify(rows)}`);
      }
      const strange = await raw(
        `select distinct kind, account from revision where tenant = $1 and issue = any($2) and not case
          when kind in ('bringStatuses', 'erasePerson') or client like 'import:%' then account = 'admin'
          when kind = 'foreignField' then account = 'mallory'
          when kind = 'foreignProperty' then account in ('eve', $3) else account = 'user' end`,
        [site.it().tenant.id, site.ids, OUTSIDE_ACCOUNT],
      );
      return [
        ...found,
        ...strange.map(({ kind, account }) => `a change of the kind ${kind} has the author ${account}`),
      ];
    },
    logged() {
      const lines = site.it().logged;
      const errorLines = lines
        .slice(Math.min(read, lines.length))
        .filter(line => JSON.parse(line).level >= ERROR_LEVEL);
      read = lines.length;
      const all = [...site.errors.splice(0).map(String), ...errorLines];
      if (!state.isProvoked) return all;
      const bugs = state.isBabbling ? BUGS : BUGS_UNLESS_BABBLING;
      return all.filter(line => bugs.test(line));
    },
  };
}
