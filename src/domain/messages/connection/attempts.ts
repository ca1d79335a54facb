/** Why an attempt to store a change failed, and what to do; not fixed by the specification. Not in the first load. */

export const session = 'Your session has ended.';
export const brokenFor = (tries: number) => `The server had an error ${tries} times. Try again in a few minutes.`;
export const denied = "You don't have permission for this change. Reload the page to see what you can change.";
export const rejected = (status: number) =>
  `The server rejected it (error ${status}). Reload the page, then try again.`;
