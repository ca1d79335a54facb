import * as z from 'zod';
import { type ChangelogEntry, type ChangelogPart, PAGE, readEntries } from './changelog.ts';
import type { Tracker } from './client.ts';
import { TrackerRefused } from './issue.ts';

const pageShape = z.object({ total: z.number(), values: z.array(z.unknown()) });

/**
 * The entries after one, of an issue whose newest ones are known. Reads older ones where they do not reach back that far.
 * Rejects with `TrackerRefused` where one of those pages cannot be read: none of its entries is to be passed over.
 */
export async function entriesAfter(
  tracker: Tracker,
  issue: string,
  { entries, isCut }: ChangelogPart,
  after: number,
): Promise<readonly ChangelogEntry[]> {
  let known = entries;
  const reaches = () => known.some(({ id }) => id <= after);
  if (isCut && !reaches()) {
    const first = await readPage(tracker, issue, 0);
    let start = Math.max(0, first.total - 2 * PAGE);
    for (;;) {
      const { values } = await readPage(tracker, issue, start);
      const ids = new Set(known.map(({ id }) => id));
      known = [...readEntries(values).filter(({ id }) => !ids.has(id)), ...known];
      if (start === 0 || reaches()) break;
      start = Math.max(0, start - PAGE);
    }
  }
  return known.filter(({ id }) => id > after);
}

async function readPage(tracker: Tracker, issue: string, startAt: number) {
  const answer = await tracker({
    name: 'readChangelog',
    method: 'GET',
    path: `/rest/api/3/issue/${issue}/changelog`,
    query: { startAt: String(startAt), maxResults: String(PAGE) },
  });
  const page = answer.status === 200 ? pageShape.safeParse(answer.body) : undefined;
  if (!page?.success) throw new TrackerRefused('readChangelog', answer);
  return page.data;
}
