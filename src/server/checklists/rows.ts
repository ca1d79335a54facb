import { randomBytes } from 'node:crypto';
import { align } from '../../text/align.ts';
import { readChecklist } from '../../text/read.ts';

const newId = (): string => randomBytes(6).toString('base64url');

/** A text, and the lasting ids of its rows. */
export interface Text {
  text: string;
  rows: readonly string[];
}

/** The rows' ids after a change: each row's own, however it was moved or reworded, and new ones for new rows. */
export const carryRows = (before: Text, after: string): string[] =>
  align(readChecklist(before.text), before.rows, readChecklist(after), newId);
