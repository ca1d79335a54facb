import { useState } from 'react';
import type { AssignedIssue, AssignedItem } from '../../client/assigned.ts';

/**
 * The new list with those items of the previous one that the user changed and that therefore left it. They keep their
 * positions, against layout shift and to allow correcting a mistake.
 */
export function keepChangedItems<Item extends { id: string }>(
  before: readonly Item[],
  now: readonly Item[],
  touched: (item: Item) => boolean,
): readonly Item[] {
  const present = new Set(now.map(({ id }) => id));
  const kept = new Map<string | undefined, Item[]>();
  let above: string | undefined;
  for (const item of before) {
    if (present.has(item.id)) above = item.id;
    else if (touched(item)) kept.set(above, [...(kept.get(above) ?? []), item]);
  }
  if (kept.size === 0) return now;
  return [...(kept.get(undefined) ?? []), ...now.flatMap(item => [item, ...(kept.get(item.id) ?? [])])];
}

interface Shown {
  items: readonly AssignedItem[];
  issues: ReadonlyMap<string, AssignedIssue>;
}

/** The server's list with kept items, until the query changes. `asked` is the answered query, `undefined` while pending. */
export function useKeptItems(
  { items, issues }: Shown,
  asked: string | undefined,
  touched: (item: AssignedItem) => boolean,
): Shown {
  const [state, setState] = useState({ asked, from: items, shown: { items, issues } });
  if (asked === undefined || (state.from === items && state.asked === asked)) return state.shown;
  const same = state.asked === asked;
  const kept = same ? keepChangedItems(state.shown.items, items, touched) : items;
  // Keeps the issues of kept items.
  const all = kept === items ? issues : new Map([...state.shown.issues, ...issues]);
  const shown = { items: kept, issues: all };
  // Derived state, set during rendering and so before the paint.
  setState({ asked, from: items, shown });
  return shown;
}
