import { useState } from 'react';
import type { AssignedIssue, AssignedItem } from '../../client/assigned.ts';

/**
 * A list as it is now, with those of the list before that somebody has just changed and that have left it for that: they
 * stay where they stood, so that nothing jumps away from under a pointer and a slip can be taken back.
 */
export function keepChangedItems<Item extends { id: string }>(
  before: readonly Item[],
  now: readonly Item[],
  touched: (item: Item) => boolean,
): readonly Item[] {
  const there = new Set(now.map(({ id }) => id));
  const kept = new Map<string | undefined, Item[]>();
  let above: string | undefined;
  for (const item of before) {
    if (there.has(item.id)) above = item.id;
    else if (touched(item)) kept.set(above, [...(kept.get(above) ?? []), item]);
  }
  if (kept.size === 0) return now;
  return [...(kept.get(undefined) ?? []), ...now.flatMap(item => [item, ...(kept.get(item.id) ?? [])])];
}

interface Shown {
  items: readonly AssignedItem[];
  issues: ReadonlyMap<string, AssignedIssue>;
}

/**
 * What the server says with what was changed here and has left the list for that, until it answers something else.
 * `asked` tells what it answers, `undefined` while that is on its way.
 */
export function useKeptItems(
  { items, issues }: Shown,
  asked: string | undefined,
  touched: (item: AssignedItem) => boolean,
): Shown {
  const [state, setState] = useState({ asked, from: items, shown: { items, issues } });
  if (asked === undefined || (state.from === items && state.asked === asked)) return state.shown;
  const same = state.asked === asked;
  const kept = same ? keepChangedItems(state.shown.items, items, touched) : items;
  // The issue of one that stays may have left with it.
  const all = kept === items ? issues : new Map([...state.shown.issues, ...issues]);
  const shown = { items: kept, issues: all };
  // React's way to derive state from what a component is given: at once, before anything is painted.
  setState({ asked, from: items, shown });
  return shown;
}
