import * as v from 'valibot';
import {
  addonPermissions,
  allPermissionKeys,
  fallbackPermissionKeys,
  permissionKey,
} from '../../../domain/permissions.ts';
import { notArray, parseAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { writeJson } from '../json.ts';
import type { Caller } from '../tokens.ts';
import type { Tracker, TrackerAnswer } from './client.ts';
import type { CallTarget } from './endpoint.ts';

const GLOBAL_PERMISSIONS = ['ADMINISTER', 'SYSTEM_ADMIN'];

const ids = v.optional(v.array(v.number()), []);
const answerShape = v.pipe(
  notArray,
  v.object({
    projectPermissions: v.optional(v.array(v.object({ permission: v.string(), issues: ids, projects: ids })), []),
    globalPermissions: v.optional(v.array(v.string()), []),
  }),
);

/** Scope of a permission check, by ids. */
type Where = { issues: readonly number[] } | { projects: readonly number[] } | 'site';

/** Account of a permission check. */
type Asked = Pick<Caller, 'account' | 'tenant'>;

/** The site's keys of the app's permissions, by the app's keys. */
const namesAt = ({ forge }: Pick<CallTarget, 'forge'>): ReadonlyMap<string, string> =>
  new Map(
    Object.values(addonPermissions).map(module => {
      const key = permissionKey(module);
      return [key, forge?.permissions?.[module] ?? key];
    }),
  );

/** The site's key of a permission. */
export const siteName = (tenant: Pick<CallTarget, 'forge'>, key: string): string => namesAt(tenant).get(key) ?? key;

/** Without an account, the check is for the app. */
function ask(
  tracker: Tracker,
  account: string | undefined,
  where: Where,
  keys: readonly string[],
): Promise<TrackerAnswer> {
  const permissions = keys.filter(key => !GLOBAL_PERMISSIONS.includes(key));
  // The tracker refuses a list without a permission.
  const ofProjects = where === 'site' ? {} : { projectPermissions: [{ permissions, ...where }] };
  return tracker({
    name: 'checkPermissions',
    method: 'POST',
    path: '/rest/api/3/permissions/check',
    ...(account !== undefined && { asker: account }),
    json: { ...ofProjects, globalPermissions: GLOBAL_PERMISSIONS },
  });
}

const unrecognized = ({ status, body }: TrackerAnswer) =>
  status === 400 && writeJson(body ?? '').includes('Unrecognized permission');

/** The granted keys in a response, for each issue or project of the check, or for the site. */
function readAnswer({ body }: TrackerAnswer, where: Where): ReadonlySet<string>[] {
  const { projectPermissions, globalPermissions } = parseAs(answerShape, body);
  if (where === 'site') return [new Set(globalPermissions)];
  const [asked, kind] = 'issues' in where ? [where.issues, 'issues' as const] : [where.projects, 'projects' as const];
  return asked.map(id => {
    const grantsOfId = projectPermissions.filter(each => each[kind].includes(id));
    return new Set([...grantsOfId.map(({ permission }) => permission), ...globalPermissions]);
  });
}

const nothing: ReadonlySet<string> = new Set();

async function granted(tracker: Tracker, { tenant, account }: Asked, where: Where): Promise<ReadonlySet<string>[]> {
  const names = namesAt(tenant);
  let answer = await ask(
    tracker,
    account,
    where,
    allPermissionKeys.map(key => names.get(key) ?? key),
  );
  if (unrecognized(answer)) answer = await ask(tracker, account, where, fallbackPermissionKeys);
  // An account, issue or project that the tracker does not know.
  if (answer.status === 400 || answer.status === 404) return [];
  if (answer.status !== 200) throw new TrackerRefused('checkPermissions', answer);
  const keysByName = new Map([...names].map(([key, name]) => [name, key]));
  return readAnswer(answer, where).map(keys => new Set([...keys].map(key => keysByName.get(key) ?? key)));
}

/**
 * Permission keys that the tracker grants this account on each of these issues, in one call. Just after an installation
 * the tracker does not know the app's keys yet and refuses the check; then only the tracker's keys are checked.
 */
export async function grantedPermissions(
  tracker: Tracker,
  asked: Asked,
  issues: readonly string[],
): Promise<ReadonlySet<string>[]> {
  return ofEach(tracker, asked, issues, some => ({ issues: some.map(Number) }));
}

/** Reads the granted permissions of an account in projects, by project id. */
export async function grantedInProjects(
  tracker: Tracker,
  asked: Asked,
  projects: readonly string[],
): Promise<ReadonlySet<string>[]> {
  return ofEach(tracker, asked, projects, some => ({ projects: some.map(Number) }));
}

/**
 * Halving a list of ids separates unknown ids from known ones. Beyond this many calls, further ids count as unknown.
 */
const MAX_HALVING_CALLS = 60;

/**
 * One set for each id, empty for an unknown one. An unknown id may fail the check for all: then the list is halved. An
 * unknown account fails every check, and its list is not.
 */
async function ofEach(
  tracker: Tracker,
  asked: Asked,
  ids: readonly string[],
  where: (ids: readonly string[]) => Where,
): Promise<ReadonlySet<string>[]> {
  const padded = (some: readonly string[], sets: readonly ReadonlySet<string>[]) =>
    some.map((_, index) => sets[index] ?? nothing);
  const sets = await granted(tracker, asked, where(ids));
  if (sets.length > 0 || ids.length < 2) return padded(ids, sets);
  if ((await granted(tracker, asked, 'site')).length === 0) return padded(ids, []);

  let remainingCalls = MAX_HALVING_CALLS;
  async function halves(some: readonly string[]): Promise<ReadonlySet<string>[]> {
    const middle = Math.ceil(some.length / 2);
    const parts = [some.slice(0, middle), some.slice(middle)];
    return (await Promise.all(parts.map(ofPart))).flat();
  }
  async function ofPart(some: readonly string[]): Promise<ReadonlySet<string>[]> {
    remainingCalls -= 1;
    const grantedSets = remainingCalls < 0 ? [] : await granted(tracker, asked, where(some));
    return grantedSets.length > 0 || some.length < 2 || remainingCalls < 0 ? padded(some, grantedSets) : halves(some);
  }
  return halves(ids);
}

/** Reads the granted permissions of an account on the whole site. */
export async function grantedOnSite(tracker: Tracker, asked: Asked): Promise<ReadonlySet<string>> {
  const [set = nothing] = await granted(tracker, asked, 'site');
  return set;
}

/** The tracker's own permission keys that the app has in a project; none in one that is not visible to it. */
export async function appPermissions(tracker: Tracker, project: string): Promise<ReadonlySet<string>> {
  const where: Where = { projects: [Number(project)] };
  const answer = await ask(tracker, undefined, where, fallbackPermissionKeys);
  if (answer.status === 400 || answer.status === 404) return nothing;
  if (answer.status !== 200) throw new TrackerRefused('checkPermissions', answer);
  return readAnswer(answer, where)[0] ?? nothing;
}

/** Whether the account, or without one the app, has the permission to create issues in this issue's project. */
export async function mayCreateIssues(
  tracker: Tracker,
  account: string | undefined,
  { issue, project }: { issue: string; project?: string },
): Promise<boolean> {
  const where: Where = project === undefined ? { issues: [Number(issue)] } : { projects: [Number(project)] };
  const answer = await ask(tracker, account, where, ['CREATE_ISSUES']);
  return answer.status === 200 && readAnswer(answer, where).some(keys => keys.has('CREATE_ISSUES'));
}

/** Those of these issues that the account can see. */
export async function visibleIssues(
  tracker: Tracker,
  account: string,
  issues: readonly string[],
): Promise<ReadonlySet<string>> {
  if (issues.length === 0) return new Set();
  const answer = await tracker({
    name: 'checkPermissions',
    method: 'POST',
    path: '/rest/api/3/permissions/check',
    asker: account,
    json: {
      projectPermissions: [{ permissions: ['BROWSE_PROJECTS'], issues: issues.map(Number) }],
      globalPermissions: [],
    },
  });
  if (answer.status !== 200) throw new TrackerRefused('checkPermissions', answer);
  return new Set(parseAs(answerShape, answer.body).projectPermissions.flatMap(each => each.issues.map(String)));
}
