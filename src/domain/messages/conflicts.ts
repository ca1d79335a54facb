/** What two people changed at once: `mine` was kept, `theirs` stands only here. */

/** By the attribute of a row, as it is merged. */
export const attributes = {
  kind: 'what this line is',
  status: 'the status',
  text: 'the text',
  assignee: 'the assignee',
  dueDate: 'the due date',
  details: 'the details',
} as const;

export const told = (row: string, what: string, mine: string, theirs: string) =>
  `“${row}”: you and someone else changed ${what}. Yours, ${mine}, was kept; theirs was ${theirs}.`;

/** For everybody who sees the issue, whoever it was that wrote what is lost. */
export const overruled = (row: string, name: string, what: string, kept: string, lost: string) =>
  `“${row}”: ${name} changed ${what} to ${kept}, at the same time as it was changed to ${lost}. The history has both.`;

/** In the place of a value. */
export const nothing = 'nothing';
export const item = 'an item';
export const header = (level: number) => `a header of level ${level}`;
