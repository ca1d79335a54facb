/** Messages about services that did not answer; not fixed by the specification. */

export const tracker = "Jira didn't answer.";
export const server = "The server didn't answer.";
export const retrying = 'Retrying automatically.';
export const noTracker = 'Open this page from Jira.';
