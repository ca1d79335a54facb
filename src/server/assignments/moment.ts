import type { IssueStory } from '../platform/tracker/happened.ts';
import type { StoredAssignment } from './records.ts';

/** Milliseconds by which the tracker's clock may be behind ours. */
const SKEW = 5_000;

/**
 * Whether an issue came to a rule's moment since the rule counts. It is asked of what the tracker says now, so an event
 * that was lost, doubled or late makes no difference.
 */
export function cameTo(rule: StoredAssignment, { project, type, created, changes }: IssueStory): boolean {
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
