/** What several people can have open as text at the same time has one id: an issue its own, a template its own with a mark. */
const TEMPLATE = 'template:';

export const templateSubject = (id: string): string => `${TEMPLATE}${id}`;

/** The template's id; `undefined` where the subject is an issue. */
export const templateIn = (subject: string): string | undefined =>
  subject.startsWith(TEMPLATE) ? subject.slice(TEMPLATE.length) : undefined;
