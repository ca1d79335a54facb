import { readChecklist } from '../read.ts';

/** Reads a line, which edits do to see what it would say. `inParts` has a long one read before. */
export const lines = { read: readChecklist };
