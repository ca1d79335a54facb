/** Messages of workflow rules on a transition. */

export const noChecklist = 'This issue has no checklist';
export const unreadable = 'The checklist of this issue can’t be read. Change an item in it, then try again';
export const sectionGone = (name: string) => `The checklist has no section “${name}”`;
/** Followed by what is open. */
export const percentNeeded = (percent: number) => `At least ${percent}% of the items must be done`;

const items = (count: number, noun = 'item') => `${count} ${noun}${count === 1 ? ' is' : 's are'}`;

export const open = (count: number) => `${items(count)} open`;
export const mandatoryOpen = (count: number) => `${items(count, 'mandatory item')} open`;
export const openIn = (section: string, count: number) => `${items(count)} open in the section “${section}”`;
export const openBefore = (status: string, count: number) => `${items(count)} open in sections before ${status}`;
export const inStatus = (status: string, count: number) => `${items(count)} in the status “${status}”`;
export const overdue = (count: number) => `${items(count)} overdue`;

/** A sentence names at most this many items. */
export const MAX_NAMED_ITEMS = 3;

/** The end of a sentence about `count` items, the first of which are named. */
export function named(names: readonly string[], count: number): string {
  if (names.length === 0) return '';
  return `: ${names.join(', ')}${count > names.length ? ` and ${count - names.length} more` : ''}`;
}

/** Shown if an expression returned no text of its own, such as after an error. */
export const refused = 'The checklist does not allow this transition yet. Complete its required items first.';
