import { readChecklist } from '../../text/read.ts';

/** How many items a text has; headers are none. */
export const itemCount = (text: string): number =>
  readChecklist(text).rows.filter(({ kind }) => kind === 'checkbox').length;
