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
