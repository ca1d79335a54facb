import { templateIn } from '../../domain/subjects.ts';
import type { Checklists } from '../checklists/types.ts';
import type { Templates } from '../templates/types.ts';

/** What an account may do with something that several people can have open as text. */
export interface SubjectFlags {
  see: boolean;
  edit: boolean;
}

export interface SubjectAccess {
  checklists: Pick<Checklists, 'flags'>;
  templates: Pick<Templates, 'changeable'>;
}

/** Of each of these, by its id; who else writes a template is told to those who may change it. What is not there, is missing. */
export async function subjectFlags(
  { checklists, templates }: SubjectAccess,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, SubjectFlags>> {
  const [issues, changeable] = await Promise.all([
    checklists.flags(subjects.filter(subject => templateIn(subject) === undefined)),
    templates.changeable(subjects.flatMap(subject => templateIn(subject) ?? [])),
  ]);
  const found = new Map<string, SubjectFlags>();
  for (const subject of subjects) {
    const [template, flags] = [templateIn(subject), issues.get(subject)];
    if (template !== undefined && changeable.has(template)) found.set(subject, { see: true, edit: true });
    if (flags) found.set(subject, { see: flags.canViewChecklist, edit: flags.canEditChecklist });
  }
  return found;
}
