/**
 * A subject is a text that several users can edit at the same time: an issue's checklist, by issue id, or a template,
 * by a prefixed id.
 */
const TEMPLATE_PREFIX = 'template:';

export const templateSubject = (id: string): string => `${TEMPLATE_PREFIX}${id}`;

/** The template's id; `undefined` if the subject is an issue. */
export const templateIn = (subject: string): string | undefined =>
  subject.startsWith(TEMPLATE_PREFIX) ? subject.slice(TEMPLATE_PREFIX.length) : undefined;
