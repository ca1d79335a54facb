/** Messages about conflicts: `mine` is in the merged text, `theirs` only here. */

/** By the merged attribute of a row. */
export const attributes = {
  kind: 'the item type',
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

/** Above such messages about values that the user saved. */
export const overwrittenTitle = 'Other people changed what you wrote';

/** Above the choice between two values of a row. */
export const sameAttribute = (name: string, what: string) =>
  `You and ${name === 'Someone else' ? 'someone else' : name} changed ${what}`;
/** In the field of the row that another user has changed. */
export const changedTo = (name: string, part: 'text' | 'details', value: string) =>
  part === 'text' ? `${name} changed this item to “${value}”.` : `${name} changed these details.`;
/** When another user has deleted the row whose field is open; `isBack`: what was typed is a row again. */
export const deletedMeanwhile = (name: string, row: string, isBack: boolean) =>
  isBack
    ? `${name} deleted this item while you edited it. Your text is saved, and the item is back.`
    : `${name} deleted “${row}” while you had it open.`;
/** When another user has deleted the row that the cursor is in; `who` is '' for an unknown user. */
export const cursorRowDeleted = (who: string) =>
  `${who === '' ? 'Someone else' : who} deleted the item you were in. What you type becomes a new item.`;
/** The number of choices that the user has not made. */
export const open = (count: number) => (count === 1 ? '1 choice is open' : `${count} choices are open`);
/** In an editor that was saved, or is to be closed, with open choices. */
export const openTitle = (count: number) => `${open(count)}: keep mine, take theirs.`;
export const openText = (count: number) =>
  count === 1
    ? 'Two people changed the same value. Until you choose, yours is saved, and the history has both.'
    : 'Two people changed the same values. Until you choose, yours are saved, and the history has both.';
/** In the history, for the revision that kept one of two values. */
export const recorded = (row: string, what: string, kept: string, lost: string) =>
  `“${row}”: ${what} was changed twice at the same time. Kept: ${kept}. Not kept: ${lost}.`;
/** For screen readers. */
export const chooseBelow = (name: string, what: string, row: string) =>
  `${name} changed ${what} of “${row}”, too. Choose below the item.`;
/** What undo takes back. */
export const chosen = (side: 'mine' | 'theirs', row: string) =>
  `${side === 'mine' ? 'Kept your' : "Took the other person's"} value of “${row}”`;
export const editing = (names: readonly string[]) =>
  names.length === 1 ? `${names[0]} is editing` : `${names.join(', ')} are editing`;

/** In place of an empty value. */
export const nothing = 'nothing';
export const item = 'an item';
export const header = (level: number) => `a level ${level} header`;
