import { limitReached, storage } from '../../domain/messages.ts';
import { rangeOf, rowAt } from '../rows.ts';
import type { Checklist } from '../types.ts';
import type { Report } from './finding.ts';

/** How much of a text its store can hold. */
export interface Capacity {
  /** The size of the text in the store, such as the length of its JSON. */
  sizeOf(text: string): number;
  limit: number;
}

const WARNING_SHARE = 0.95;

/** The first item beyond the edition's limit. */
export function tooManyItems(checklist: Checklist, limit: number, report: Report): void {
  let items = 0;
  const index = checklist.rows.findIndex(row => row.kind === 'checkbox' && ++items > limit);
  if (index < 0) return;
  const { from } = rangeOf(checklist, index);
  const to = from + rowAt(checklist, index).content.to;
  report({ from, to, code: 'LIMIT_REACHED', message: limitReached.items });
}

/** A text that is beyond what its store can hold, or close to it. The finding is at the last line. */
export function tooLarge({ text }: Checklist, { sizeOf, limit }: Capacity, report: Report): void {
  const size = sizeOf(text);
  if (size < limit * WARNING_SHARE) return;
  const from = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  const [code, message] =
    size > limit
      ? (['TOO_LARGE', storage.tooLarge(size, limit)] as const)
      : ([
          'NEARLY_FULL',
          `${size.toLocaleString('en')} of ${limit.toLocaleString('en')} characters are used.`,
        ] as const);
  report({ from, to: text.length, code, message });
}
