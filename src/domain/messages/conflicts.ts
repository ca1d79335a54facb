/** Messages about conflicts: `mine` is in the merged text, `theirs` only here. */

/** By the merged attribute of a row. */
export const attributes = {
  kind: 'the row type',
  status: 'the status',
  text: 'the text',
  assignee: 'the assignee',
  dueDate: 'the due date',
  details: 'the details',
} as const;

export const mineKept = (row: string, what: string, mine: string, theirs: string) =>
  `“${row}”: you and someone else changed ${what}. Your value, ${mine}, is kept. Theirs was ${theirs}.`;

/** For all users of the issue. */
export const overwritten = (row: string, name: string, what: string, kept: string, lost: string) =>
  `“${row}”: ${name} changed ${what} to ${kept}, at the same time as it was changed to ${lost}. The history shows both.`;

/** In place of an empty value. */
export const nothing = 'nothing';
export const item = 'an item';
export const header = (level: number) => `a level ${level} header`;
