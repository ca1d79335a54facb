/** Messages about services that did not answer; not fixed by the specification. */

export const tracker = "Jira didn't answer.";
export const server = "The server didn't answer.";
export const noTracker = 'Open this page from Jira.';
export const session = 'Your session has ended.';
export const busy = 'The server is busy.';
