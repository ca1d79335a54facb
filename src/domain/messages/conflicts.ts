/** Messages about conflicts: `mine` is in the merged text, `theirs` only here. */

/** Another user whose name is not known. */
export const unnamed = 'Someone else';
const nameOrUnknown = (who: string) => (who === '' ? unnamed : who);
/** The user, who has changed the same value in another tab. */
export const self = 'You';
const inOtherTab = (who: string) => (who === self ? ' in another tab' : '');

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

/** About a value of other users. */
export const overwritten = (row: string, name: string, what: string, kept: string, lost: string) =>
  `“${row}”: ${name} changed ${what} to ${kept}, at the same time as it was changed to ${lost}. The history shows both.`;
/** About a value of the user; `about` names the row and the attribute, unless it is the row's text. */
export const ownOverwritten = (
  about: { row: string; what: string } | undefined,
  mine: string,
  name: string,
  theirs: string,
  isCurrent: boolean,
) =>
  [
    about
      ? `“${about.row}”: you changed ${about.what} to ${mine}, ${name} to ${theirs} at the same time.`
      : `You wrote ${mine}, ${name} wrote ${theirs} at the same time.`,
    `${theirs === nothing ? 'Theirs' : theirs} ${isCurrent ? 'is' : 'was'} saved, and the history has both.`,
  ].join(' ');
/** When the other author has answered the choice between both values, of which the user's was kept before. */
export const ownReplaced = (
  about: { row: string; what: string } | undefined,
  mine: string,
  name: string,
  theirs: string,
) =>
  about
    ? `“${about.row}”: ${name} changed ${about.what} from ${mine}, which was yours, to ${theirs}. The history has both.`
    : `${name} chose ${theirs} instead of ${mine}, which you wrote. The history has both.`;

/** Above such messages about values that the user saved. */
export const overwrittenTitle = 'Other people changed what you wrote';

/** Above the choice between two values of a row. */
export const sameAttribute = (name: string, what: string) =>
  name === self
    ? `You changed ${what} here and${inOtherTab(name)}`
    : `You and ${name === unnamed ? 'someone else' : name} changed ${what}`;
/** In the field of the row that another user has changed. */
export const changedTo = (name: string, part: 'text' | 'details', value: string) =>
  `${name} changed ${part === 'text' ? `this item to “${value}”` : 'these details'}${inOtherTab(name)}.`;
/** When another user has deleted the row whose field is open; `isBack`: what was typed is a row again. */
export const deletedMeanwhile = (name: string, row: string, isBack: boolean) =>
  isBack
    ? `${name} deleted this item while you edited it. Your text is saved, and the item is back.`
    : `${name} deleted “${row}” while you had it open.`;
/** When another user has deleted the row that the cursor is in; `who` is '' for an unknown user. */
export const cursorRowDeleted = (who: string) =>
  `${nameOrUnknown(who)} deleted the item you were in. What you type becomes a new item.`;
/** Rows that another user has deleted in an editor in which they have unsaved words. */
export const keptWhileDeleted = (who: string, rows: readonly string[]) =>
  rows.length === 1
    ? `${nameOrUnknown(who)} deleted “${rows[0]}” while you edited it. Your text is kept, and saving brings the item back.`
    : `${nameOrUnknown(who)} deleted ${rows.length} items while you edited them. Your text is kept, and saving brings them back.`;
/** Rows that were deleted, and that another user's change has brought back. */
export const broughtBack = (who: string, rows: readonly string[]) =>
  rows.length === 1
    ? `${nameOrUnknown(who)} brought back “${rows[0]}”.`
    : `${nameOrUnknown(who)} brought back ${rows.length} items.`;
/** The number of choices that the user has not made. */
export const open = (count: number) => (count === 1 ? '1 choice is open' : `${count} choices are open`);
/** In the header of a folded section. */
export const openInFolded = (count: number) => `${open(count)} in this section. Go to choice.`;
/** In an editor that was saved, or is to be closed, with open choices. */
export const openTitle = (count: number) => `${open(count)}: keep mine, take theirs.`;
type Side = 'mine' | 'theirs';
/** Whose values are stored, as the subject of a sentence, for choices with these sides. */
function stored(sides: readonly Side[], singular: string, plural: string): string {
  const mine = sides.filter(side => side === 'mine').length;
  const [whose, count] =
    mine === sides.length ? ['yours', mine] : mine === 0 ? ['theirs', sides.length] : ['some of both', 2];
  return `${whose} ${count === 1 ? singular : plural}`;
}
const changedTwice = (count: number) =>
  count === 1 ? 'Two people changed the same value.' : 'Two people changed the same values.';
export const openText = (sides: readonly Side[]) =>
  `${changedTwice(sides.length)} Until you choose, ${stored(sides, 'is', 'are')} saved, and the history has both.`;
/** Says which values are stored if the editor closes. `isUnsaved`: a text with the user's values is yet to be saved. */
export const openAtClose = (sides: readonly Side[], isUnsaved: boolean) =>
  [
    changedTwice(sides.length),
    `If you ${isUnsaved ? 'save and close' : 'close'} without a choice, ${stored(sides, 'stays', 'stay')} saved.`,
    `The history has both, and the checklist asks again.`,
  ].join(' ');
/** In the history, for the revision that kept one of two values. */
export const recorded = (row: string, what: string, kept: string, lost: string) =>
  `“${row}”: ${what} was changed twice at the same time. Kept: ${kept}. Not kept: ${lost}.`;
/** For screen readers. */
export const chooseBelow = (name: string, what: string, row: string) =>
  `${name} changed ${what} of “${row}”${inOtherTab(name)}, too. Choose below the item.`;
/** Names a choice for undo. */
export const chosen = (side: 'mine' | 'theirs', row: string) =>
  `${side === 'mine' ? 'Kept your' : "Took the other person's"} value of “${row}”`;
export const editing = (names: readonly string[]) =>
  names.length === 1 ? `${names[0]} is editing` : `${names.join(', ')} are editing`;

/** In place of an empty value. */
export const nothing = 'nothing';
export const item = 'an item';
export const header = (level: number) => `a level ${level} header`;
