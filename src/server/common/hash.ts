import { createHash } from 'node:crypto';

/** The synchronous equivalent of `hashText` in text/document.ts. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
