/** Selected rows by their keys, which last while rows change. */
export interface Selection {
  keys: ReadonlySet<number>;
  /** From where Shift selects. */
  anchor: number | undefined;
}

export const noSelection: Selection = { keys: new Set(), anchor: undefined };

export function toggled({ keys }: Selection, key: number): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** Everything from the anchor to a row, as they show. Without an anchor it is that row, or what lies from `from`. */
export function extended(
  { anchor }: Selection,
  key: number,
  shown: readonly number[],
  from: number | undefined = undefined,
): Selection {
  const fixed = [anchor, from].find(each => each !== undefined && shown.includes(each)) ?? key;
  const [first = 0, last = 0] = [shown.indexOf(fixed), shown.indexOf(key)].sort((a, b) => a - b);
  return { keys: new Set(shown.slice(first, last + 1)), anchor: fixed };
}
