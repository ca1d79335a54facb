import { refreshStored } from '../checklists/commit/stale.ts';
import { mirrorOf } from '../checklists/service/site.ts';
import {
  type CheckedIssue,
  type CheckScope,
  type CheckSite,
  checkIssues,
  findKnown,
  hasFinding,
  knownIssues,
  refusedCopies,
  resetDerived,
} from '../copies/check.ts';
import { wantUnknownField } from '../copies/records/due-copies.ts';
import { noteHint } from '../copies/records/hints.ts';
import { TrackerRefused, TrackerUnavailable } from '../errors/tracker.ts';
import { differingCopies } from '../jobs/mirror.ts';
import { listRefusedCopies } from '../jobs/project-copies.ts';
import { MAX_ISSUES } from '../platform/tracker/bulk-issues.ts';
import { listFields } from '../platform/tracker/fields.ts';
import { findProject } from '../platform/tracker/projects.ts';
import { eachOf, pagesOf } from '../queue/each.ts';
import { createEntries } from '../queue/entries.ts';
import { createRegistries, noteRegistries } from '../statuses/registries.ts';
import { runHere } from '../text-workers/task.ts';
import { Declined, type Result } from './result.ts';
import { copyStates, messages, table } from './texts.ts';

type OperatedSite = Pick<CheckSite, 'store' | 'tenant' | 'tracker'>;

function siteOf(site: OperatedSite): CheckSite {
  const { store, tenant, tracker } = site;
  const registries = createRegistries(store);
  const texts = { run: runHere };
  return {
    ...site,
    texts,
    field: () => mirrorOf(tenant, () => listFields(tracker)),
    registries: () => registries(tenant),
  };
}

/** Makes the indexes of an issue anew, and lets the running server read and write its copies. */
async function repairIssue(site: CheckSite, { issue }: CheckedIssue): Promise<void> {
  const { store, tenant } = site;
  const place = { tenant: tenant.id, issue };
  await resetDerived(store, tenant.id, issue);
  await refreshStored(site, place, true);
  await store.batch(tenant.id, [noteHint(place), ...(tenant.mirror === 'none' ? [] : [wantUnknownField(place)])]);
  for (const name of ['sync', 'write-property', 'write-field'])
    await createEntries(store).add({ tenant: tenant.id, key: issue, name }, place, 0);
}

const declineTrackerErrors = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const isOfTracker = error instanceof TrackerUnavailable || error instanceof TrackerRefused;
    throw isOfTracker ? new Declined(messages.trackerFailed(error.message)) : error;
  }
};

/** Repairs issues. Resolves with the number of repaired issues, and names the issues whose repair failed. */
async function repairAll(site: CheckSite, findings: readonly CheckedIssue[]) {
  const { store, tenant } = site;
  await store.tenant(tenant.id, tx => noteRegistries(tx, tenant.id));
  const { done, failures } = await eachOf(
    findings,
    ({ issue, key }) => key ?? issue,
    each => repairIssue(site, each),
    { endsBy: () => 'never' },
  );
  return { done, failed: failures.map(({ name, error }) => messages.failedFor(name, error)) };
}

/** Compares the copies and indexes of an issue, by its id or key, with its newest version. */
export async function checkIssue(site: OperatedSite, issueIdOrKey: string, isRepaired: boolean): Promise<Result> {
  const whole = siteOf(site);
  const id = await findKnown(site.store, site.tenant.id, issueIdOrKey);
  const [checked] = id === undefined ? [] : await declineTrackerErrors(checkIssues(whole, [id]));
  if (!checked) throw new Declined(messages.unknownIssue(issueIdOrKey));
  if (!checked.isShown) throw new Declined(messages.notShown);
  const repaired = isRepaired && hasFinding(checked) ? await repairAll(whole, [checked]) : undefined;
  return {
    json: { ...checked, repaired: repaired?.done ?? 0, failed: repaired?.failed ?? [] },
    text: [
      table(
        ['Copy', 'State', 'Refused', 'Next try'],
        (['property', 'field'] as const).map(copy => {
          const { state, refused, due } = checked[copy];
          const next = refused === null ? (due ? messages.dueAt(due) : '') : messages.nextTry(due);
          return [copy, copyStates[state], refused ?? '', next];
        }),
      ),
      ...(checked.differences.length > 0 ? [messages.differs(checked.differences)] : []),
      ...(repaired ? [messages.repaired(repaired.done, 0), ...repaired.failed] : []),
    ].join('\n'),
    code: hasFinding(checked) ? 1 : 0,
  };
}

/** The copies of statuses and templates in projects that differ, why the tracker refuses one, and when it is tried again. */
async function checkProjects(site: OperatedSite, project: string | undefined) {
  const differing = await declineTrackerErrors(differingCopies(site, project));
  const storedRefusals = await listRefusedCopies(site.store, site.tenant.id);
  return differing.map(({ key, copy }) => {
    const refused = storedRefusals.find(each => each.key === key && each.copy === copy);
    return { key, copy, refused: refused?.refused ?? null, next: refused?.due ?? null };
  });
}

/** Id of a project, by its id or key. */
async function projectOf({ tracker }: OperatedSite, projectIdOrKey: string): Promise<string> {
  const foundProject = await declineTrackerErrors(findProject(tracker, projectIdOrKey, []));
  if (!foundProject) throw new Declined(messages.unknownProject(projectIdOrKey));
  return foundProject.id;
}

/** Compares the copies and indexes of all issues of a site, or of a project by its id or key, with their newest versions. */
export async function checkSite(
  site: OperatedSite,
  { project: given, repair }: { project: string | undefined; repair: boolean },
): Promise<Result> {
  const whole = siteOf(site);
  const project = given === undefined ? undefined : await projectOf(site, given);
  const scope: CheckScope = { project };
  const findings: CheckedIssue[] = [];
  const projects = await checkProjects(site, project);
  let [count, hidden] = [0, 0];
  const pages = pagesOf({
    size: MAX_ISSUES,
    idOf: (id: string) => id,
    next: (after, most) => knownIssues(site.store, site.tenant.id, scope, { after, most }),
  });
  for await (const ids of pages) {
    const checked = await declineTrackerErrors(checkIssues(whole, ids));
    count += checked.length;
    hidden += checked.filter(({ isShown }) => !isShown).length;
    findings.push(...checked.filter(hasFinding));
  }
  const repaired = repair ? await repairAll(whole, findings) : undefined;
  if (repair && projects.length > 0) {
    const tenant = site.tenant.id;
    await createEntries(site.store).add({ tenant, key: 'mirror', name: 'mirror' }, { tenant }, 0);
  }
  const different = findings.filter(({ differences }) => differences.length > 0).length;
  const refused = findings.filter(each => refusedCopies(each).length > 0).length;
  return {
    json: { issues: count, hidden, findings, projects, repaired: repaired?.done ?? 0, failed: repaired?.failed ?? [] },
    text: [
      messages.compared({ issues: count, different, refused, hidden }),
      ...(findings.length > 0
        ? [
            '',
            table(
              ['Issue', 'Differs', 'Refused', 'Next try'],
              findings.map(each => {
                const refused = refusedCopies(each);
                const [next = null] = refused
                  .flatMap(copy => each[copy].due ?? [])
                  .toSorted((one, other) => one.getTime() - other.getTime());
                return [
                  each.key ?? each.issue,
                  each.differences.join(', '),
                  refused.map(copy => `${copy}: ${each[copy].refused}`).join(', '),
                  refused.length > 0 ? messages.nextTry(next) : '',
                ];
              }),
            ),
          ]
        : []),
      ...(projects.length > 0
        ? [
            '',
            messages.differingProjects,
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
      ...(repaired
        ? [messages.repaired(repaired.done, new Set(projects.map(({ key }) => key)).size), ...repaired.failed]
        : []),
    ].join('\n'),
    code: findings.length + projects.length > 0 ? 1 : 0,
  };
}
