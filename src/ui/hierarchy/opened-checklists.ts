/** Most checklists that are open at once: each is read and listened to by itself, one that was closed too while it is kept. */
const MOST = 50;

/**
 * Checklists with one more that is opened. Where there are too many, the one that was opened first goes of those that
 * need not stay; `undefined` when all have to.
 */
export function withOpened<Issue extends { id: string }>(
  opened: ReadonlyMap<string, Issue>,
  issue: Issue,
  stays: (id: string) => boolean,
): { opened: ReadonlyMap<string, Issue>; left: readonly string[] } | undefined {
  const next = new Map(opened).set(issue.id, issue);
  if (next.size <= MOST) return { opened: next, left: [] };
  const idle = [...opened.keys()].find(id => !stays(id));
  if (idle === undefined) return undefined;
  next.delete(idle);
  return { opened: next, left: [idle] };
}
