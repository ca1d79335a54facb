/** Messages of the smart hierarchy; not fixed by the specification. */

export const waiting = (seconds: number) =>
  `The tracker asks for a pause. Loading continues in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
export const tooMany = (minutes: number) =>
  `The tracker takes no more requests for now. Try again in about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
export const partial = 'Some checklists could not be read. Their figures may be old or missing.';
export const stale = 'The hierarchy could not be read again. This is how it was.';
export const branch = 'What is below this issue could not be read.';
export const more = (most: number) =>
  `Only the first ${most.toLocaleString('en')} issues are here. Open the hierarchy of one of them to see what is below it.`;
export const gone = "This issue doesn't exist any more, or you don't have permission to see it.";
export const tooManyOpen = 'Too many checklists are open. Close one first.';
export const hidden = "You don't have permission to see this checklist.";
export const applying = 'A template is being applied. Stop that first, or wait until it is done.';
export const applied = (done: number) =>
  done === 1 ? 'The template was applied to 1 issue.' : `The template was applied to ${done} issues.`;
