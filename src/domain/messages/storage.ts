/** Reasons why a change could not be stored, each with the next step; not fixed by the specification. */

export const tooLarge = (size: number, capacity: number) =>
  `This checklist is too large for the tracker: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. Shorten it and save again.`;
export const fieldTooLarge = (size: number, capacity: number) =>
  `The Checklist Text field was not updated: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters.`;
export const fieldRefused = "We couldn't update the Checklist Text field. Your checklist is saved.";
export const fieldNotOnScreen =
  "The Checklist Text field isn't on this issue's screen, so it wasn't updated. Your checklist is saved.";
export const fieldNotTaken = (size: number, capacity: number) =>
  `What was written into the Checklist Text field is too large for the checklist: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. Shorten it there.`;
export const propertyNotTaken = (size: number, capacity: number) =>
  `What another app wrote into the issue property is too large for the checklist: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. It was left out.`;
export const propertyRefused = (status: number) =>
  `We couldn't update the issue property (error ${status}). Your checklist is saved.`;
export const trackerUnavailable = 'The tracker did not answer, so your change is not saved.';
export const trackerRefused = (status: number) =>
  `The tracker did not take your change (error ${status}), so it is not saved.`;
export const issueNotFound = "This issue doesn't exist any more, or you don't have permission to see it.";
export const changedMeanwhile = 'This item has changed. Check it and make your change again.';
export const sameItems = 'Someone else changed the same items.';
export const baseUnknown =
  'The server does not know the text that you started from. Send it along and it will be merged.';
export const templateNotFound = 'This template does not exist any more, or it belongs to another project.';
export const revisionNotFound = 'This version of the checklist is not kept any more.';
export const headerNoIssue = 'A header cannot become an issue.';
export const noSubtasks = 'Issues like this one have no sub-tasks. Make a linked issue instead.';
export const noLinks = 'Issues cannot be linked here. Make a sub-task instead.';
export const issueRefused = (reasons: string) => `The tracker did not make an issue of this item. ${reasons}`.trim();
export const issuePending =
  'The tracker did not say whether it made the issue. Try again in a minute: it will not be made twice.';
export const tooManyRows = (most: number) => `At most ${most.toLocaleString('en')} rows can be changed at once.`;
/** All is stored; the tracker's copies are pending. */
export const copyPending = 'Saved. Jira copy pending';
