import {
  type CheckedIssue,
  type CheckScope,
  type CheckSite,
  checkIssues,
  knownIssues,
  markIndexesStale,
} from '../checklists/check.ts';
import { refreshStored } from '../checklists/stale.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { differingCopies } from '../jobs/mirror.ts';
import { listRefusedCopies } from '../jobs/project-copies.ts';
import { MOST_ISSUES } from '../platform/tracker/bulk-issues.ts';
import { createEntries } from '../queue/entries.ts';
import { createRegistries, noteRegistries } from '../statuses/registries.ts';
import { makeIssueDue, noteHint } from '../sync/records.ts';
import { checkCopies, fieldIn } from './copies.ts';
import { Declined, type Result } from './result.ts';
import { said, table } from './texts.ts';

type OperatedSite = Pick<CheckSite, 'store' | 'tenant' | 'tracker'>;

function siteOf(site: OperatedSite): CheckSite {
  const { store, tenant, tracker } = site;
  const registries = createRegistries(store);
  return { ...site, field: () => fieldIn(tenant, tracker), registries: () => registries(tenant) };
}

/** Makes the indexes of an issue anew, and lets the running server read and write its copies. */
async function repairIssue(site: CheckSite, { issue }: CheckedIssue): Promise<void> {
  const { store, tenant } = site;
  const place = { tenant: tenant.id, issue };
  await store.tenant(tenant.id, tx => noteRegistries(tx, tenant.id));
  await markIndexesStale(store, tenant.id, issue);
  await refreshStored(site, place, 0);
  await store.batch(tenant.id, [noteHint(place), makeIssueDue({ ...place, hasField: tenant.mirror !== 'none' })]);
  await createEntries(store).add({ tenant: tenant.id, key: issue, name: 'sync' }, place, 0);
}

const asked = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const isOfTracker = error instanceof TrackerUnavailable || error instanceof TrackerRefused;
    throw isOfTracker ? new Declined(said.trackerFailed(error.message)) : error;
  }
};

const hasFinding = ({ differences, refused }: CheckedIssue): boolean => differences.length + refused.length > 0;

/** Compares the copies and indexes of an issue, by its id or key, with its newest version. */
export async function checkIssue(site: OperatedSite, given: string, isRepaired: boolean): Promise<Result> {
  const { found, text, code } = await checkCopies(site.store, site.tenant, site.tracker, given);
  const whole = siteOf(site);
  const [checked] = await asked(checkIssues(whole, [found.issue]));
  const { differences = [], refused = [] } = checked ?? {};
  if (isRepaired && checked && hasFinding(checked)) await repairIssue(whole, checked);
  return {
    json: { ...found, differences, refused },
    text: [text, ...(differences.length > 0 ? [said.differs(differences)] : [])].join('\n'),
    code: code === 1 || differences.length > 0 ? 1 : 0,
  };
}

/** The copies of statuses and templates in projects that differ, why the tracker refuses one, and when it is tried again. */
async function checkProjects(site: OperatedSite, project: string | undefined) {
  const differing = await asked(differingCopies(site, project));
  const all = await listRefusedCopies(site.store, site.tenant.id);
  return differing.map(({ key, copy }) => {
    const refused = all.find(each => each.key === key && each.copy === copy);
    return { key, copy, refused: refused?.refused ?? null, next: refused?.due ?? null };
  });
}

/** Compares the copies and indexes of all issues of a site, or of a project, with their newest versions. */
export async function checkSite(
  site: OperatedSite,
  { project, repair }: { project: string | undefined; repair: boolean },
): Promise<Result> {
  const whole = siteOf(site);
  const scope: CheckScope = { project };
  const findings: CheckedIssue[] = [];
  const projects = await checkProjects(site, project);
  let count = 0;
  for (let after = ''; ; ) {
    const ids = await knownIssues(site.store, site.tenant.id, scope, { after, most: MOST_ISSUES });
    const checked = await asked(checkIssues(whole, ids));
    count += checked.length;
    findings.push(...checked.filter(hasFinding));
    const last = ids.at(-1);
    if (last === undefined || ids.length < MOST_ISSUES) break;
    after = last;
  }
  if (repair) for (const each of findings) await repairIssue(whole, each);
  if (repair && projects.length > 0) {
    const tenant = site.tenant.id;
    await createEntries(site.store).add({ tenant, key: 'mirror', name: 'mirror' }, { tenant }, 0);
  }
  const different = findings.filter(({ differences }) => differences.length > 0).length;
  const refused = findings.filter(each => each.refused.length > 0).length;
  return {
    json: { issues: count, findings, projects, repaired: repair ? findings.length : 0 },
    text: [
      said.compared(count, different, refused),
      ...(findings.length > 0
        ? [
            '',
            table(
              ['Issue', 'Differs', 'Refused'],
              findings.map(each => [each.key ?? each.issue, each.differences.join(', '), each.refused.join(', ')]),
            ),
          ]
        : []),
      ...(projects.length > 0
        ? [
            '',
            said.differingProjects,
            table(
              ['Project', 'Copy', 'Refused', 'Next try'],
              projects.map(({ key, copy, refused: reason, next }) => [
                key,
                copy,
                reason ?? '',
                next?.toISOString() ?? '',
              ]),
            ),
          ]
        : []),
      ...(repair ? [said.repaired(findings.length, new Set(projects.map(({ key }) => key)).size)] : []),
    ].join('\n'),
    code: findings.length + projects.length > 0 ? 1 : 0,
  };
}
