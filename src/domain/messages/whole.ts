/** Messages about a checklist as a whole; not fixed by the specification. */

/** Names the items that a deletion includes. A checklist without items may have headers. */
const deletedItems = (items: number) =>
  items === 0 ? 'everything in it' : items === 1 ? 'the one item' : `all ${items.toLocaleString('en')} items`;

export const clearTitle = 'Clear checklist?';
export const clearText = (items: number) => `Saving an empty text deletes ${deletedItems(items)}.`;
export const clearButton = 'Clear checklist';
export const clear = (items: number) => `Clear the checklist? This deletes ${deletedItems(items)}.`;
export const importMore = (items: number) =>
  `There ${items === 0 ? 'are headers' : items === 1 ? 'is one item' : `are ${items.toLocaleString('en')} items`} already. Import below them, or replace them? Unchanged items of an earlier import aren't added again.`;
export const copied = 'Copied as Markdown.';
export const notCopied = "We couldn't copy the checklist.";
export const textCopied = 'Copied.';
export const textNotCopied = "We couldn't copy the text.";
export const rowsCopied = (rows: number) => (rows === 1 ? '1 item copied.' : `${rows} items copied.`);
export const follows = (issue: string) => `The item is completed when ${issue} is done.`;
export const followsNot = (issue: string) => `The item is no longer completed with ${issue}.`;
export const restored = 'Your unsaved changes have been restored.';
/** Behind the message that no further item fits. */
export const notAdded = 'What you type is not added, and stays here.';
export const draftNotKept = "This browser can't keep unsaved changes. Save before you leave.";
export const previousNotKept = 'The previous version is no longer available.';
export const stepNotSaved = (step: string, reason: string) => `“${step}” was not saved. ${reason}`;
export const notSaved = 'Not saved yet.';
export const keepOpen = 'Keep this page open.';

/** Why a checklist is read-only. `isManaged`: the site uses the app's own permissions. */
export const readOnly = (isManaged: boolean) =>
  isManaged
    ? 'To change this checklist, you need one of its permissions, such as “Manage checklists”. Ask an administrator.'
    : 'To change this checklist, you need the permission “Edit issues”. Ask an administrator.';
