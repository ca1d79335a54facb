import type { Page } from 'playwright-core';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; lineNumber: number };
  children?: number[];
}

/** Functions in which a page's main thread spent its time during some work, the busiest first, in µs a key. */
export async function hotSpots(page: Page, keys: number, work: () => Promise<void>): Promise<string[][]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 200 });
  await session.send('Profiler.start');
  await work();
  const { profile } = await session.send('Profiler.stop');
  const nodes = new Map<number, ProfileNode>(profile.nodes.map(node => [node.id, node]));
  const own = new Map<number, number>();
  for (const [index, id] of (profile.samples ?? []).entries()) {
    own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas?.[index] ?? 0));
  }
  const nameOf = ({ callFrame }: ProfileNode) =>
    `${callFrame.functionName || '(anonymous)'}:${callFrame.lineNumber + 1}`;

  const [self, total] = [new Map<string, number>(), new Map<string, number>()];
  /** Time of a node and all below it; a function that calls itself counts once. */
  const sum = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const name = nameOf(node);
    const below = new Set(above).add(name);
    const mine = own.get(node.id) ?? 0;
    const time = (node.children ?? []).reduce((all, id) => {
      const child = nodes.get(id);
      return child ? all + sum(child, below) : all;
    }, mine);
    self.set(name, (self.get(name) ?? 0) + mine);
    if (!above.has(name)) total.set(name, (total.get(name) ?? 0) + time);
    return time;
  };
  const [root] = profile.nodes;
  if (root) sum(root, new Set());
  const idle = /^\((root|idle|program)\)/;
  return [...total]
    .filter(([name]) => !idle.test(name))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 60)
    .map(([name, time]) => [name, ((self.get(name) ?? 0) / keys).toFixed(0), (time / keys).toFixed(0)]);
}
