/** Messages about refused statuses; not fixed by the specification. */

export const builtIn = "Built-in statuses can't be deleted, and their meaning can't be changed.";
export const notFound = 'This status no longer exists.';
export const target = 'Choose another status for its items.';
export const noRoom = "You've reached the maximum number of statuses. Delete one, or use shorter names.";
export const issueRenamed = 'Statuses updated.';
export const noMatch = 'No statuses match.';
