/** Reasons why a change could not be stored, each with the next step; not fixed by the specification. */

export const tooLarge = (size: number, capacity: number) =>
  `This checklist is too large for Jira: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. Shorten it and save again.`;
export const fieldTooLarge = (size: number, capacity: number) =>
  `This checklist is too long for the Checklist Text field: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. Shorten it to update the field.`;
export const fieldRefused = "We couldn't update the Checklist Text field. Your checklist is saved.";
export const fieldNotOnScreen =
  "The Checklist Text field isn't on this issue's screen, so it wasn't updated. Your checklist is saved.";
export const fieldNotTaken = (size: number, capacity: number) =>
  `The text in the Checklist Text field is too large for a checklist: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. Shorten it there.`;
export const propertyNotTaken = (size: number, capacity: number) =>
  `The checklist that another app wrote to the issue property is too large: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. It was ignored.`;
export const propertyRefused = (status: number) =>
  `We couldn't update the issue property (error ${status}). Your checklist is saved.`;
export const trackerUnavailable = "Jira didn't answer, so your change isn't saved.";
export const trackerRefused = (status: number) => `Jira rejected your change (error ${status}), so it isn't saved.`;
export const issueNotFound = "This issue no longer exists, or you don't have permission to see it.";
export const changedMeanwhile = 'This item has changed. Check it and make your change again.';
export const sameItems = 'Someone else changed the same items.';
export const baseUnknown =
  "The server doesn't have the text that you started from. Send it too, and your change will be merged.";
export const templateNotFound = 'This template no longer exists, or it belongs to another project.';
export const revisionNotFound = 'This version of the checklist is no longer available.';
export const headerNoIssue = "A header can't become an issue.";
export const noSubtasks = 'This issue type has no sub-tasks. Create a linked issue instead.';
export const noLinks = "Issues can't be linked here. Create a sub-task instead.";
export const issueRefused = (reasons: string) => `Jira didn't create an issue from this item. ${reasons}`.trim();
export const issuePending =
  "Jira didn't confirm that it created the issue. Try again in a minute. It won't be created twice.";
export const tooManyRows = (most: number) => `At most ${most.toLocaleString('en')} items can be changed at once.`;
export const tooManyValues = (most: number) =>
  `At most ${most.toLocaleString('en')} values of items can be changed at once.`;
export const nameTooLong = (most: number) => `A person's name should be at most ${most} characters long.`;
/** All is stored; the tracker's copies are pending. */
export const copyPending = 'Saved. Jira copy pending';
