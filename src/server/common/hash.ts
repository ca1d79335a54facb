import { createHash } from 'node:crypto';

/** The same as `hashText` of the texts' own functions (text/document.ts), at once: here that takes no thread's turn. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
