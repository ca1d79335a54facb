import { alignUnits } from './merge/align.ts';
import { documentOf } from './merge/units.ts';
import type { Checklist } from './types.ts';

/**
 * Carries the lasting ids of a text's rows to another version of it, which somebody wrote freely: for each row there the
 * id of the row that it was, however it was moved, reworded or ticked, else one that `newId` gives. `ids` has one for
 * each row of `before`; no id comes out twice, even if it stands there twice. Rows that say the same keep their order.
 */
export function align(before: Checklist, ids: readonly string[], after: Checklist, newId: () => string): string[] {
  const [here, there] = [documentOf(before.text, before.statuses), documentOf(after.text, after.statuses)];
  const was = new Map([...alignUnits(here.units, there.units)].map(([index, now]) => [now, index]));
  const taken = new Set<string>();
  return there.units.map((_, index) => {
    const id = ids[was.get(index) ?? -1];
    if (id === undefined || taken.has(id)) return newId();
    taken.add(id);
    return id;
  });
}
