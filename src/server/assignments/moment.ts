import type { IssueEvent } from '../platform/issue-events.ts';
import type { IssueHistory } from '../platform/tracker/issue-history.ts';
import type { StoredAssignment } from '../templates/assignments.ts';

/** Milliseconds by which the tracker's clock may be behind ours. */
const SKEW = 5_000;

/** Whether an event can bring any issue to the moment of any rule: not our own property writes, and not a comment. */
export const concernsRules = ({ kind, changes }: IssueEvent): boolean =>
  kind === 'created' || (kind === 'updated' && changes?.length !== 0);

/** Whether an event, which says nothing of what it leaves out, can bring its issue to a rule's moment. */
export function mayCome(
  { projects, moment, field }: Pick<StoredAssignment, 'projects' | 'moment' | 'field'>,
  { kind, changes, project }: IssueEvent,
): boolean {
  if (project !== undefined && projects.length > 0 && !projects.includes(project)) return false;
  if (kind === 'created') return moment === 'CREATED';
  if (changes === undefined) return true;
  return changes.some(({ id }) => {
    const name = id.toLowerCase();
    // What came to the moment elsewhere, or as another type, counts where the issue is now.
    if (name === 'project' || name === 'issuetype') return true;
    return moment === 'MOVED' ? name === 'status' : moment === 'FIELD_CHANGED' && id === field;
  });
}

/**
 * Whether an issue came to a rule's moment since the rule counts. It is asked of what the tracker says now, so an event
 * that was doubled, late or out of order makes no difference.
 */
export function cameTo(rule: StoredAssignment, { project, type, created, changes }: IssueHistory): boolean {
  const { projects, issueTypes, moment, statuses, field } = rule;
  if (projects.length > 0 && !projects.includes(project)) return false;
  if (issueTypes.length > 0 && !issueTypes.includes(type)) return false;
  const since = rule.since.getTime() - SKEW;
  if (moment === 'CREATED') return created.getTime() >= since;
  return changes.some(change => {
    if (change.at.getTime() < since) return false;
    if (moment === 'FIELD_CHANGED') return change.field === field;
    return change.field === 'status' && change.to !== null && statuses.includes(change.to);
  });
}
