/** Messages about refused statuses; not fixed by the specification. */

export const builtIn = 'A built-in status keeps its meaning and cannot be deleted.';
export const notFound = 'This status does not exist any more.';
export const target = 'Choose another status for its items.';
export const noRoom = 'There is no room for more statuses. Delete one, or choose shorter names.';
export const issueRenamed = 'Its statuses were brought up to date.';
