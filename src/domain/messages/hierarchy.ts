/** Messages of the smart hierarchy; not fixed by the specification. */

export const waiting = (seconds: number) =>
  `Jira asked for a pause. Loading continues in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`;
export const tooMany = (minutes: number) =>
  `Jira doesn't accept more requests now. Try again in about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
export const partial = "We couldn't load some checklists. Their numbers may be outdated or missing.";
export const stale = "We couldn't refresh the hierarchy. This is the last loaded state.";
export const branch = "We couldn't load the issues below this one.";
export const more = (most: number) =>
  `Only the first ${most.toLocaleString('en')} issues are shown. Open the hierarchy of one of them to see the issues below it.`;
export { issueNotFound as gone } from './storage.ts';
export const tooManyOpen = 'Too many checklists are open. Close one first.';
export const hidden = "You don't have permission to see this checklist.";
export const applying = "A template is being applied. Stop it, or wait until it's done.";
export const applied = (done: number) =>
  done === 1 ? 'The template was applied to 1 issue.' : `The template was applied to ${done} issues.`;
