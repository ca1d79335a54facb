import { useState } from 'react';
import type { AssignedIssue, AssignedItem } from '../../client/assigned.ts';
import { keepChangedItems } from './keep-changed-items.ts';

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
