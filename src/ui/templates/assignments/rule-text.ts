import type { Assignment } from '../../../client/admin/assignments.ts';
import type { Named, Workflow } from '../../../client/tracker/workflow.ts';

/** What of the tracker a rule can name. */
export interface Known extends Workflow {
  /** Those that can be chosen from; none where one looks from a project. */
  projects: readonly Named[];
  fields: readonly Named[];
}

export const moments: Record<Assignment['moment'], string> = {
  CREATED: 'is created',
  MOVED: 'moves to a status',
  FIELD_CHANGED: 'has a field changed',
};

/** Names, each once: several projects may have a type of that name. What is not known here is called `other`. */
const namesOf = (ids: readonly string[], known: readonly Named[], other: string): string =>
  [...new Set(ids.map(id => known.find(each => each.id === id)?.name ?? other))].join(' or ');

/** Of which projects, as far as they are known; from the only one that it is for nobody has to be told that. */
function ofProjects(ids: readonly string[], known: readonly Named[]): string {
  if (ids.every(id => known.some(each => each.id === id))) return ` of ${namesOf(ids, known, 'another project')}`;
  return ids.length > 1 ? ' of several projects' : '';
}

/** A rule in one sentence, without its template. */
export function ruleWords({ projectIds, issueTypeIds, moment, statusIds, fieldId }: Assignment, known: Known): string {
  const what =
    issueTypeIds.length === 0 ? 'an issue' : `a ${namesOf(issueTypeIds, known.types, 'issue of another type')}`;
  const where = projectIds.length === 0 ? ' of any project' : ofProjects(projectIds, known.projects);
  const when =
    moment === 'MOVED'
      ? `moves to ${namesOf(statusIds, known.statuses, 'another status')}`
      : moment === 'FIELD_CHANGED'
        ? `has another ${namesOf(fieldId === null ? [] : [fieldId], known.fields, 'field that is not there any more')}`
        : 'is created';
  return `when ${what}${where} ${when}`;
}
