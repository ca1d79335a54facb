/** Messages about services that did not answer; not fixed by the specification. */

export const tracker = 'The tracker did not answer.';
export const server = 'The server did not answer.';
export const noTracker = 'Open this page from the tracker.';
export const session = 'Your session has ended.';
export const busy = 'The server is busy.';
