import type { IssueEvent } from '../platform/issue-events.ts';
import type { IssueHistory } from '../platform/tracker/issue-history.ts';
import type { StoredAssignment } from '../templates/assignments.ts';

/** The tracker's clock may be behind the server's by this much. */
const CLOCK_SKEW_MS = 5_000;

/** Whether an event can trigger any rule: own property writes and comments cannot. */
export const concernsRules = ({ kind, changes }: IssueEvent): boolean =>
  kind === 'created' || (kind === 'updated' && changes?.length !== 0);

/** Whether an event may trigger a rule, by the details that it has. */
export function mayTrigger(
  { projects, moment, field }: Pick<StoredAssignment, 'projects' | 'moment' | 'field'>,
  { kind, changes, project }: IssueEvent,
): boolean {
  if (project !== undefined && projects.length > 0 && !projects.includes(project)) return false;
  if (kind === 'created') return moment === 'CREATED';
  if (changes === undefined) return true;
  return changes.some(({ id }) => {
    const name = id.toLowerCase();
    // An earlier change in another project, or as another type, counts after the issue's move.
    if (name === 'project' || name === 'issuetype') return true;
    return moment === 'MOVED' ? name === 'status' : moment === 'FIELD_CHANGED' && id === field;
  });
}

/**
 * Whether an issue's history triggers a rule since the rule applies. It reads the tracker's current state, so repeated, late
 * and unordered events make no difference.
 */
export function isTriggered(rule: StoredAssignment, { project, type, created, changes }: IssueHistory): boolean {
  const { projects, issueTypes, moment, statuses, field } = rule;
  if (projects.length > 0 && !projects.includes(project)) return false;
  if (issueTypes.length > 0 && !issueTypes.includes(type)) return false;
  const since = rule.since.getTime() - CLOCK_SKEW_MS;
  if (moment === 'CREATED') return created.getTime() >= since;
  return changes.some(change => {
    if (change.at.getTime() < since) return false;
    if (moment === 'FIELD_CHANGED') return change.field === field;
    return change.field === 'status' && change.to !== null && statuses.includes(change.to);
  });
}
