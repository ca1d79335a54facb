import { edition } from '../../../domain/edition.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { progressOf } from '../../../text/progress.ts';
import type { Checklist } from '../../../text/types.ts';

/** What the bar below the text says of it. */
export interface Figures {
  checked: number;
  total: number;
  percent: number;
  rows: number;
  /** What the tracker would store, in characters as it counts them. */
  size: number;
  /** Items that the edition still holds, negative when there are too many; `Infinity` without a limit. */
  left: number;
}

/** As long as the epoch that the server gives to a checklist which has none yet: a UUID. */
const EPOCH = '00000000-0000-0000-0000-000000000000';

/** The figures of a checklist that would be stored beside this base and name. */
export function figuresOf({ rows, text }: Checklist, epoch: string, seq: number, name: string): Figures {
  const progress = progressOf(rows);
  const { checked, total, percent } = progress;
  const size = encodedSize({ v: 1, epoch: epoch || EPOCH, seq: seq + 1, name, text, progress });
  return { checked, total, percent, rows: rows.length, size, left: edition.limits.itemsPerChecklist - total };
}
