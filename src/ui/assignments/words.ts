import type { Assignment } from '../../client/admin/assignments.ts';
import type { Named } from '../../client/tracker/workflow.ts';

/** What of the tracker a rule can name. */
export interface Known {
  types: readonly Named[];
  statuses: readonly Named[];
  fields: readonly Named[];
}

export const moments: Record<Assignment['moment'], string> = {
  CREATED: 'is created',
  MOVED: 'moves to a status',
  FIELD_CHANGED: 'has a field changed',
};

const namesOf = (ids: readonly string[], known: readonly Named[]): string =>
  ids.map(id => known.find(each => each.id === id)?.name ?? id).join(' or ');

/** A rule in one sentence, without its template. */
export function ruleWords({ projectIds, issueTypeIds, moment, statusIds, fieldId }: Assignment, known: Known): string {
  const what = issueTypeIds.length === 0 ? 'an issue' : `a ${namesOf(issueTypeIds, known.types)}`;
  const where = projectIds.length === 0 ? ' of any project' : projectIds.length > 1 ? ' of several projects' : '';
  const when =
    moment === 'MOVED'
      ? `moves to ${namesOf(statusIds, known.statuses)}`
      : moment === 'FIELD_CHANGED'
        ? `has another ${namesOf(fieldId === null ? [] : [fieldId], known.fields)}`
        : 'is created';
  return `when ${what}${where} ${when}`;
}
