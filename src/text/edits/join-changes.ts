import { ChangesOverlap } from '../errors.ts';
import type { TextChange } from '../types.ts';

/**
 * Several edits of one text as one list, which makes them all at once; what two insert at one place stands in the edits'
 * order. Throws `ChangesOverlap` if two changes touch the same characters.
 */
export function joinChanges(...edits: readonly (readonly TextChange[])[]): TextChange[] {
  const end = ({ from, to = from }: TextChange) => to;
  const joined = edits.flat().sort((a, b) => a.from - b.from || end(a) - end(b));
  joined.forEach((change, i) => {
    const before = joined[i - 1];
    if (before && end(before) > change.from) throw new ChangesOverlap();
  });
  return joined;
}
