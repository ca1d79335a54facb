import { templateIn } from '../../../domain/templates/subjects.ts';
import type { Checklists } from '../../checklists/service/types.ts';
import type { Templates } from '../../templates/types.ts';

export interface SubjectAccess {
  checklists: Pick<Checklists, 'flags' | 'viewable'>;
  templates: Pick<Templates, 'changeable'>;
}

/** How an account uses a subject (`domain/subjects.ts`). */
export type SubjectUse = 'see' | 'edit';

/** The subjects that the account has permission to use so; templates need the permission to change them for either use. */
export async function usableSubjects(
  { checklists, templates }: SubjectAccess,
  subjects: readonly string[],
  use: SubjectUse,
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set();
  const isTemplate = (subject: string) => templateIn(subject) !== undefined;
  const ids = subjects.filter(subject => !isTemplate(subject));
  const editable = async () => {
    const flags = await checklists.flags(ids);
    return new Set(ids.filter(id => flags.get(id)?.canEditChecklist));
  };
  const [issues, changeable] = await Promise.all([
    use === 'see' ? checklists.viewable(ids) : editable(),
    templates.changeable(subjects.flatMap(subject => templateIn(subject) ?? [])),
  ]);
  return new Set(
    subjects.filter(subject => (isTemplate(subject) ? changeable.has(templateIn(subject) ?? '') : issues.has(subject))),
  );
}
