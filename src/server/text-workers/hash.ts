import { createHash } from 'node:crypto';

/** A hash in place of a name that is private or long: 96 bits. */
export const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** The synchronous equivalent of `hashText` in text/document.ts. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
