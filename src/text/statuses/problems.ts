import { builtInStatuses, type Status } from '../../domain/statuses.ts';
import { nameProblem, normalName, STATUS_NAME_MAX } from '../status-registry.ts';

const problems = {
  SLUG_TAKEN: 'Another status has this ID.',
  NAME_REQUIRED: 'A status needs a name.',
  NAME_TOO_LONG: `The name of a status has at most ${STATUS_NAME_MAX} characters.`,
  NAME_CHARACTERS: 'The name of a status contains no brackets, backticks or line breaks, and does not start with ~.',
  NAME_TAKEN: 'Another status has this name.',
} as const;

export type StatusProblemCode = keyof typeof problems;

/** Why a status of a list cannot be used as it stands. */
export interface StatusProblem {
  /** Its place in the list. */
  index: number;
  code: StatusProblemCode;
  message: string;
}

/** What is wrong with a list of custom statuses, one finding a status. A list without findings loses nothing as a registry. */
export function statusProblems(custom: readonly Status[]): StatusProblem[] {
  const slugs = new Set<string>(builtInStatuses.map(({ slug }) => slug));
  const names = new Set<string>(builtInStatuses.map(({ name }) => normalName(name)));
  return custom.flatMap(({ slug, name }, index) => {
    const taken = names.has(normalName(name)) ? 'NAME_TAKEN' : undefined;
    const code = slugs.has(slug) ? 'SLUG_TAKEN' : (nameProblem(name) ?? taken);
    slugs.add(slug);
    names.add(normalName(name));
    return code ? [{ index, code, message: problems[code] }] : [];
  });
}
