/** Selected rows by their stable keys. */
export interface Selection {
  keys: ReadonlySet<number>;
  /** The key from which Shift extends. */
  anchor: number | undefined;
}

export const noSelection: Selection = { keys: new Set(), anchor: undefined };

export function toggled({ keys }: Selection, key: number): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** The visible rows from the anchor to `key`; from `from`, else only `key`, if the anchor is not visible. */
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
