import * as v from 'valibot';
import { readAs } from '../../../domain/shape.ts';
import { TrackerRefused } from '../../errors/tracker.ts';
import { type ChangelogEntry, type ChangelogPart, ENTRIES_PER_PAGE, readEntries } from './changelog.ts';
import type { Tracker } from './client.ts';

/** The tracker's limits of issues in one call, and of entries of all these issues in one response. */
export const MAX_CHANGELOGS = 1_000;
const MAX_ENTRIES = 1_000;

const pageShape = v.object({ total: v.number(), values: v.array(v.unknown()) });

/**
 * The entries after the id `after`, of an issue whose newest ones are known. Reads older pages if needed. Rejects
 * with `TrackerRefused` if one of them cannot be read: no entry may be skipped.
 */
export async function entriesAfter(
  tracker: Tracker,
  issue: string,
  { entries, isCut }: ChangelogPart,
  after: number,
): Promise<readonly ChangelogEntry[]> {
  let loadedEntries = entries;
  const reaches = () => loadedEntries.some(({ id }) => id <= after);
  if (isCut && !reaches()) {
    const first = await readPage(tracker, issue, 0);
    let start = Math.max(0, first.total - 2 * ENTRIES_PER_PAGE);
    for (;;) {
      const { values } = await readPage(tracker, issue, start);
      const ids = new Set(loadedEntries.map(({ id }) => id));
      loadedEntries = [...readEntries(values).filter(({ id }) => !ids.has(id)), ...loadedEntries];
      if (start === 0 || reaches()) break;
      start = Math.max(0, start - ENTRIES_PER_PAGE);
    }
  }
  return loadedEntries.filter(({ id }) => id > after);
}

async function readPage(tracker: Tracker, issue: string, startAt: number) {
  const answer = await tracker({
    name: 'readChangelog',
    method: 'GET',
    path: `/rest/api/3/issue/${issue}/changelog`,
    query: { startAt: String(startAt), maxResults: String(ENTRIES_PER_PAGE) },
  });
  const page = answer.status === 200 ? readAs(pageShape, answer.body) : undefined;
  if (!page) throw new TrackerRefused('readChangelog', answer);
  return page;
}

/**
 * Reads the newest entries of each issue by a call of its own. An issue that is missing or denied has none: it stays for
 * the next sweep, which must not end here.
 */
async function* readEach(
  tracker: Tracker,
  ids: readonly string[],
): AsyncGenerator<{ issue: string; entries: readonly ChangelogEntry[] }[]> {
  for (const issue of ids) {
    const entries = await readNewest(tracker, issue);
    if (entries) yield [{ issue, entries }];
  }
}

/** The newest entries of an issue; `undefined` if they cannot be read. */
async function readNewest(tracker: Tracker, issue: string): Promise<readonly ChangelogEntry[] | undefined> {
  try {
    const first = await readPage(tracker, issue, 0);
    if (first.total <= ENTRIES_PER_PAGE) return readEntries(first.values);
    const { values } = await readPage(tracker, issue, first.total - ENTRIES_PER_PAGE);
    return readEntries(values);
  } catch (error) {
    if (error instanceof TrackerRefused) return undefined;
    throw error;
  }
}

const manyShape = v.object({
  issueChangeLogs: v.array(v.object({ issueId: v.string(), changeHistories: v.array(v.unknown()) })),
  nextPageToken: v.nullish(v.string()),
});

/**
 * Reads the entries of one field, of at most `MAX_CHANGELOGS` issues, page by page: an issue's entries may be spread
 * over pages. A missing issue has none. If the platform denies that call, reads the newest entries of any field, issue
 * by issue.
 */
export async function* readChangelogs(
  tracker: Tracker,
  ids: readonly string[],
  field: string,
): AsyncGenerator<{ issue: string; entries: readonly ChangelogEntry[] }[]> {
  for (let token: string | null | undefined; token !== null; ) {
    const answer = await tracker({
      name: 'readChangelogs',
      method: 'POST',
      path: '/rest/api/3/changelog/bulkfetch',
      json: {
        ...{ issueIdsOrKeys: ids, fieldIds: [field], maxResults: MAX_ENTRIES },
        ...(token !== undefined && { nextPageToken: token }),
      },
    });
    // The platform denies the call to every Connect app.
    if (answer.status === 401 || answer.status === 403) return yield* readEach(tracker, ids);
    const page = answer.status === 200 ? readAs(manyShape, answer.body) : undefined;
    if (!page) throw new TrackerRefused('readChangelogs', answer);
    const { issueChangeLogs, nextPageToken = null } = page;
    yield issueChangeLogs.map(({ issueId, changeHistories }) => ({
      issue: issueId,
      entries: readEntries(changeHistories),
    }));
    token = nextPageToken;
  }
}
