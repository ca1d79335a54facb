import { anonymous } from '../../domain/user.ts';
import type { RuleOptions } from '../../domain/workflow/options.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import {
  readWorkflowRules,
  readWorkflowScheme,
  type WorkflowRule,
  type WorkflowScheme,
} from '../platform/tracker/workflow-rules.ts';
import { cached, createCache } from '../store/cached.ts';

/** The conditions that some workflow rule of the app checks on an issue; `null` if the tracker does not say. */
export interface WorkflowChecks {
  gates: boolean | null;
  mandatory: boolean | null;
}

/** The project and the issue type of an issue, by their ids, if known. */
export interface WorkflowOf {
  project?: string | undefined;
  issueType?: string | undefined;
}

export interface WorkflowCheckService {
  /** Reads what the workflow rules of an issue's project check. Which transitions have them is not looked up. */
  read(caller: Caller, tracker: Tracker, of: WorkflowOf): Promise<WorkflowChecks>;
  /** Shortens the life of the site's answers: the workflow with the edited rule is published within some minutes. */
  rulesEdited(tenant: string): void;
}

/** An answer costs the site's quota a few points, and a rule changes seldom. */
const ANSWER_CACHE_MS = 15 * 60_000;
/** Shorter while an administrator is at work on the site's rules. */
const EDITED_ANSWER_CACHE_MS = 60_000;
/** The administrator probably publishes the workflow within this time after editing a rule. */
const EDITING_WINDOW_MS = 30 * 60_000;
const MAX_SITES = 10_000;
const MAX_PROJECTS = 50_000;

const checkNames = ['gates', 'mandatory'] as const;
const checks = ({ all, ...options }: RuleOptions, name: (typeof checkNames)[number]) => all || options[name];

/** The workflows that an issue can have: one if its type is known, or if the scheme has no other. */
function workflowsOf({ defaultWorkflow, issueTypeMappings }: WorkflowScheme, issueType?: string): string[] {
  if (issueType !== undefined) return [issueTypeMappings[issueType] ?? defaultWorkflow];
  return [defaultWorkflow, ...Object.values(issueTypeMappings)];
}

/** Refused, unreachable, or the quota is spent: the screens say that it is not known. */
const unlessRefused = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined);

/** The rules of a site as they were read; without `rules` after a failure. */
interface SiteRules {
  tenant: string;
  readAt: number;
  rules: WorkflowRule[] | undefined;
}

/** One answer for all users of a site and of a project; also a failure holds, so that users cannot cause more calls. */
export function createWorkflowChecks(now: () => number = Date.now): WorkflowCheckService {
  /** When a rule of a tenant was last edited. */
  const edits = createCache<number>(MAX_SITES);
  const answerMs = (tenant: string) =>
    now() < (edits.get(tenant) ?? Number.NEGATIVE_INFINITY) + EDITING_WINDOW_MS
      ? EDITED_ANSWER_CACHE_MS
      : ANSWER_CACHE_MS;
  const sites = cached<SiteRules>({
    max: MAX_SITES,
    ttl: ({ tenant, readAt }) => readAt + answerMs(tenant) - now(),
    now,
  });
  const schemes = cached<WorkflowScheme | undefined>({ max: MAX_PROJECTS, ttl: () => ANSWER_CACHE_MS, now });
  const readRules = async (tracker: Tracker) => [
    ...(await readWorkflowRules(tracker, 'validator')),
    ...(await readWorkflowRules(tracker, 'condition')),
  ];
  const readSite = async (tenant: string, tracker: Tracker): Promise<SiteRules> => {
    const readAt = now();
    return { tenant, readAt, rules: await unlessRefused(readRules(tracker)) };
  };
  const read: WorkflowCheckService['read'] = async ({ tenant, account }, tracker, { project, issueType }) => {
    const site = `${tenant.id} ${tenant.epoch}`;
    const siteRules =
      account === anonymous.id ? undefined : (await sites.get(site, () => readSite(tenant.id, tracker))).rules;
    if (!siteRules) return { gates: null, mandatory: null };
    const checking = (name: (typeof checkNames)[number]) => siteRules.filter(({ options }) => checks(options, name));
    const scheme =
      project !== undefined && checkNames.some(name => checking(name).length > 0)
        ? await schemes.get(`${site} ${project}`, () => unlessRefused(readWorkflowScheme(tracker, project)))
        : undefined;
    const answer = (name: (typeof checkNames)[number]): boolean | null => {
      const having = new Set(checking(name).map(({ workflow }) => workflow));
      if (having.size === 0) return false;
      const checksOfType = scheme && workflowsOf(scheme, issueType).map(workflow => having.has(workflow));
      return checksOfType?.every(has => has) ? true : checksOfType?.some(has => has) === false ? false : null;
    };
    return { gates: answer('gates'), mandatory: answer('mandatory') };
  };
  return { read, rulesEdited: tenant => void edits.set(tenant, now()) };
}
