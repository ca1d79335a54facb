/**
 * The order that comes of one that somebody saw (`seen`), made (`wanted`) and that stands there now: of two people who
 * work at once, one may have added or deleted, and the other moved. `undefined` where both moved, and not alike.
 */
export function mergedOrder(
  seen: readonly string[],
  wanted: readonly string[],
  current: readonly string[],
): string[] | undefined {
  const both = new Set(current.filter(slug => seen.includes(slug) && wanted.includes(slug)));
  const common = (order: readonly string[]) => order.filter(slug => both.has(slug));
  const [base, mine, theirs] = [common(seen), common(wanted), common(current)];
  if (mine.join() === base.join() || mine.join() === theirs.join()) return [...current];
  if (theirs.join() !== base.join()) return undefined;
  // What is new there stays behind what it stood behind.
  const order = [...mine];
  current.forEach((slug, index) => {
    if (both.has(slug)) return;
    const before = current[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, slug);
  });
  return order;
}
