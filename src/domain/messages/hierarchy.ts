/** What the smart hierarchy says; the specification is silent here. */

export const waiting = (seconds: number) =>
  `The tracker asks for a pause. Reading goes on by itself in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
export const tooMany = (minutes: number) =>
  `The tracker takes no more requests for now. Try again in about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
export const partial = 'Some checklists could not be read. Their figures may be old or missing.';
export const stale = 'The hierarchy could not be read again. This is how it was.';
export const branch = 'What is below this issue could not be read.';
export const more = (most: number) =>
  `Only the first ${most.toLocaleString('en')} issues are here. Open the hierarchy of one of them to see what is below it.`;
export const gone = 'This issue is not here any more, or you may not see it.';
export const tooManyOpen = 'Close another checklist first: only so many can be open at once.';
export const hidden = 'You may not see this checklist.';
export const applying = 'A template is being applied. Stop that first, or wait until it is done.';
export const applied = (done: number) =>
  done === 1 ? 'The template was applied to 1 issue.' : `The template was applied to ${done} issues.`;
