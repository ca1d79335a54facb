/** Messages about services that did not answer as they should; not fixed by the specification. */

export const tracker = "Jira didn't answer.";
export const server = "The server didn't answer.";
export const busy = 'The server is busy.';
export const broken = 'The server had an error.';
export const retrying = 'Retrying automatically.';
export const noTracker = 'Open this page from Jira.';
