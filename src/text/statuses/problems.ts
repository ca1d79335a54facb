import { builtInStatuses, type Status } from '../../domain/statuses.ts';
import { MAX_STATUS_NAME_CHARS, nameProblem, normalName } from '../status-registry.ts';

const problems = {
  SLUG_TAKEN: 'Another status has this ID.',
  NAME_REQUIRED: 'A status needs a name.',
  NAME_TOO_LONG: `The name of a status has at most ${MAX_STATUS_NAME_CHARS} characters.`,
  NAME_CHARACTERS: 'The name of a status contains no brackets, backticks or line breaks, and does not start with ~.',
  NAME_TAKEN: 'Another status has this name.',
} as const;

export type StatusProblemCode = keyof typeof problems;

/** The reason why a status of a list cannot be used as it is. */
export interface StatusProblem {
  /** Its place in the list. */
  index: number;
  code: StatusProblemCode;
  message: string;
}

/**
 * The problems of a list of custom statuses, at most one for each status. A registry of a list without problems keeps
 * every status.
 */
export function statusProblems(custom: readonly Status[]): StatusProblem[] {
  const slugs = new Set<string>(builtInStatuses.map(({ slug }) => slug));
  const names = new Set<string>(builtInStatuses.map(({ name }) => normalName(name)));
  return custom.flatMap(({ slug, name }, index) => {
    const duplicateCode = names.has(normalName(name)) ? 'NAME_TAKEN' : undefined;
    const code = slugs.has(slug) ? 'SLUG_TAKEN' : (nameProblem(name) ?? duplicateCode);
    slugs.add(slug);
    names.add(normalName(name));
    return code ? [{ index, code, message: problems[code] }] : [];
  });
}
