import { builtIn, type StatusRegistry } from '../../text/statuses.ts';
import { readText } from './reading.ts';

/** How many items a text has; headers are none. By which statuses it is read makes no difference but to speed. */
export const itemCount = (text: string, statuses: StatusRegistry = builtIn): number =>
  readText(text, statuses).rows.filter(({ kind }) => kind === 'checkbox').length;
