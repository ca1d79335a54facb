import * as z from 'zod';
import {
  addonPermissions,
  allPermissionKeys,
  fallbackPermissionKeys,
  permissionKey,
} from '../../../domain/permissions.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import type { Caller } from '../tokens.ts';
import type { Tracker, TrackerAnswer } from './client.ts';
import type { Called } from './endpoint.ts';

const GLOBAL = ['ADMINISTER', 'SYSTEM_ADMIN'];

const ids = z.array(z.number()).default([]);
const answerShape = z.object({
  projectPermissions: z.array(z.object({ permission: z.string(), issues: ids, projects: ids })).default([]),
  globalPermissions: z.array(z.string()).default([]),
});

/** Where permissions are asked for, by id. */
type Where = { issues: readonly number[] } | { projects: readonly number[] } | 'site';

/** Whose permissions are asked for. */
type Asked = Pick<Caller, 'account' | 'tenant'>;

/** Our permissions as the tenant's site names them, by our own names. */
const namesAt = ({ forge }: Pick<Called, 'forge'>): ReadonlyMap<string, string> =>
  new Map(
    Object.values(addonPermissions).map(module => {
      const key = permissionKey(module);
      return [key, forge?.permissions?.[module] ?? key];
    }),
  );

/** A permission as the tenant's site names it. */
export const siteName = (tenant: Pick<Called, 'forge'>, key: string): string => namesAt(tenant).get(key) ?? key;

function ask(tracker: Tracker, account: string, where: Where, keys: readonly string[]): Promise<TrackerAnswer> {
  const permissions = keys.filter(key => !GLOBAL.includes(key));
  const projectPermissions = where === 'site' ? [] : [{ permissions, ...where }];
  return tracker({
    name: 'checkPermissions',
    method: 'POST',
    path: '/rest/api/3/permissions/check',
    asker: account,
    json: { projectPermissions, globalPermissions: GLOBAL },
  });
}

const unrecognized = ({ status, body }: TrackerAnswer) =>
  status === 400 && JSON.stringify(body ?? '').includes('Unrecognized permission');

/** The keys that an answer grants, for each of those that they were asked for in. */
function readAnswer({ body }: TrackerAnswer, where: Where): ReadonlySet<string>[] {
  const { projectPermissions, globalPermissions } = answerShape.parse(body);
  if (where === 'site') return [new Set(globalPermissions)];
  const [asked, kind] = 'issues' in where ? [where.issues, 'issues' as const] : [where.projects, 'projects' as const];
  return asked.map(id => {
    const here = projectPermissions.filter(each => each[kind].includes(id));
    return new Set([...here.map(({ permission }) => permission), ...globalPermissions]);
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
  const own = new Map([...names].map(([key, name]) => [name, key]));
  return readAnswer(answer, where).map(keys => new Set([...keys].map(key => own.get(key) ?? key)));
}

/**
 * The permission keys that the tracker grants this account on each of these issues, by one question. Just after an
 * installation it does not know our own keys yet and refuses them all; then only its own are asked for.
 */
export async function grantedPermissions(
  tracker: Tracker,
  asked: Asked,
  issues: readonly string[],
): Promise<ReadonlySet<string>[]> {
  return ofEach(issues, some => granted(tracker, asked, { issues: some.map(Number) }));
}

/** Likewise in each of these projects, by their ids. */
export async function grantedInProjects(
  tracker: Tracker,
  asked: Asked,
  projects: readonly string[],
): Promise<ReadonlySet<string>[]> {
  return ofEach(projects, some => granted(tracker, asked, { projects: some.map(Number) }));
}

/** One answer for each id; none for one that the tracker does not know, which may spoil the question for the others. */
async function ofEach(
  ids: readonly string[],
  asked: (ids: readonly string[]) => Promise<ReadonlySet<string>[]>,
): Promise<ReadonlySet<string>[]> {
  const sets = await asked(ids);
  if (sets.length > 0 || ids.length < 2) return ids.map((_, index) => sets[index] ?? nothing);
  const middle = Math.ceil(ids.length / 2);
  const halves = [ids.slice(0, middle), ids.slice(middle)];
  return (await Promise.all(halves.map(half => ofEach(half, asked)))).flat();
}

/** Those over the whole site. */
export async function grantedOnSite(tracker: Tracker, asked: Asked): Promise<ReadonlySet<string>> {
  const [set = nothing] = await granted(tracker, asked, 'site');
  return set;
}

/** Whether the account may itself create issues where this one is. */
export async function mayCreateIssues(tracker: Tracker, account: string, issue: string): Promise<boolean> {
  const where: Where = { issues: [Number(issue)] };
  const answer = await ask(tracker, account, where, ['CREATE_ISSUES']);
  return answer.status === 200 && readAnswer(answer, where).some(keys => keys.has('CREATE_ISSUES'));
}

/** Which of these issues the account may see. */
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
  return new Set(answerShape.parse(answer.body).projectPermissions.flatMap(each => each.issues.map(String)));
}
