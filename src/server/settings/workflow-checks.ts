import { anonymous } from '../../domain/user.ts';
import type { RuleOptions } from '../../domain/workflow/options.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { readWorkflowRules } from '../platform/tracker/workflow-rules.ts';
import { cached } from '../store/cached.ts';

/** What some workflow rule of the app checks on a site. Which transitions have the rule is not known. */
export interface WorkflowChecks {
  gates: boolean;
  mandatory: boolean;
}

/** Reads what the site's workflow rules check; `undefined` if the tracker does not say. */
export type ReadWorkflowChecks = (caller: Caller, tracker: Tracker) => Promise<WorkflowChecks | undefined>;

/** Milliseconds for which an answer holds: it costs the site's quota a few points, and a rule changes seldom. */
const ANSWER_MS = 15 * 60_000;
const MAX_SITES = 10_000;

const checksOf = (rules: readonly RuleOptions[]): WorkflowChecks => ({
  gates: rules.some(({ all, gates }) => all || gates),
  mandatory: rules.some(({ all, mandatory }) => all || mandatory),
});

async function readChecks(tracker: Tracker): Promise<WorkflowChecks | undefined> {
  try {
    const validators = await readWorkflowRules(tracker, 'validator');
    const checks = checksOf(validators);
    if (checks.gates && checks.mandatory) return checks;
    return checksOf([...validators, ...(await readWorkflowRules(tracker, 'condition'))]);
  } catch {
    // Refused, unreachable, or the quota is spent: the screens say that it is not known.
    return undefined;
  }
}

/** One answer for all users of a site; also a failure holds, so that users cannot cause more calls. */
export function createWorkflowChecks(now: () => number = Date.now): ReadWorkflowChecks {
  const answers = cached<WorkflowChecks | undefined>({ max: MAX_SITES, ttl: () => ANSWER_MS, now });
  return async ({ tenant, account }, tracker) =>
    account === anonymous.id ? undefined : answers.get(`${tenant.id} ${tenant.epoch}`, () => readChecks(tracker));
}
