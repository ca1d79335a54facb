/** Messages about items across issues; not fixed by the specification. */

const MAX_NAMED_ISSUES = 5;

/** Issues, by key, whose items were shown until the user lost access. */
export function lost(keys: readonly string[]): string {
  const [only = ''] = keys;
  if (keys.length === 1)
    return `${only} no longer exists, or you don't have permission to see it. Its items are no longer shown.`;
  const issuesText = keys.length > MAX_NAMED_ISSUES ? `${keys.length.toLocaleString('en')} issues` : keys.join(', ');
  return `${issuesText} no longer exist, or you don't have permission to see them. Their items are no longer shown.`;
}

/** Why a list is empty, by whose items it would have. */
export const none = {
  ME: 'No items are assigned to you. Checklist items assigned to you on any issue show here.',
  BY_ME: 'No items of other people were assigned by you. Items that you assign to someone show here.',
  MY_PROJECTS: 'No items in your projects. A project is yours if an item in it is assigned to you.',
  PROJECT: 'No items in this project are assigned. Checklist items assigned to anyone in it show here.',
  PERSON: 'No items are assigned to this person on issues that you can see.',
} as const;

/** That no open item is left. */
export const done = {
  ME: 'All items assigned to you are done.',
  BY_ME: 'All items that you assigned are done.',
  MY_PROJECTS: 'All items in your projects are done.',
  PROJECT: 'All items in this project are done.',
  PERSON: 'All items assigned to this person are done.',
} as const;
