import * as z from 'zod';
import type { Tracker } from './client.ts';

/** A change of one field, as the issue's changelog has it. */
export interface FieldEntry {
  field: string;
  from: string | null;
  to: string | null;
}

/** An entry of an issue's changelog. */
export interface ChangelogEntry {
  /** Grows from entry to entry. */
  id: number;
  /** Account id; absent where the tracker does not say. */
  author: string | undefined;
  fields: readonly FieldEntry[];
}

/** Entries that follow each other, oldest first, up to the newest one. */
export interface ChangelogPart {
  entries: readonly ChangelogEntry[];
  /** Older ones may be missing. */
  isCut: boolean;
  /** The newest one's id, 0 where there is none yet; `null` where the tracker does not say. */
  newest: number | null;
}

/** Entries that the tracker gives at once. */
const PAGE = 100;

/** `toString` is a member that every object has: only own ones count. */
const itemShape = z.record(z.string(), z.unknown()).transform((item): FieldEntry => {
  const own = (name: string) => (typeof item[name] === 'string' ? item[name] : null);
  return { field: own('fieldId') ?? own('field') ?? '', from: own('fromString'), to: own('toString') };
});
const entryShape = z.object({
  id: z.coerce.number(),
  author: z.object({ accountId: z.string() }).nullish(),
  items: z.array(itemShape).default([]),
});
const partShape = z.object({ changelog: z.object({ histories: z.array(entryShape) }).optional() });
const pageShape = z.object({ total: z.number(), values: z.array(entryShape) });

const entriesOf = (found: readonly z.infer<typeof entryShape>[]): ChangelogEntry[] =>
  found
    .map(({ id, author, items }) => ({ id, author: author?.accountId, fields: items }))
    .sort((one, other) => one.id - other.id);

/** The changelog in the answer to a read of an issue that was expanded by it: its newest entries. */
export function readEmbeddedChangelog(body: unknown): ChangelogPart {
  const histories = partShape.safeParse(body).data?.changelog?.histories;
  const entries = entriesOf(histories ?? []);
  return { entries, isCut: entries.length >= PAGE, newest: histories ? (entries.at(-1)?.id ?? 0) : null };
}

/** The entries after one, of an issue whose newest ones are known. Reads older ones where they do not reach back that far. */
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
      known = [...entriesOf(values).filter(({ id }) => !ids.has(id)), ...known];
      if (start === 0 || reaches()) break;
      start = Math.max(0, start - PAGE);
    }
  }
  return known.filter(({ id }) => id > after);
}

async function readPage(tracker: Tracker, issue: string, startAt: number) {
  const { body } = await tracker({
    name: 'readChangelog',
    method: 'GET',
    path: `/rest/api/3/issue/${issue}/changelog`,
    query: { startAt: String(startAt), maxResults: String(PAGE) },
  });
  const page = pageShape.safeParse(body);
  return page.data ?? { total: 0, values: [] };
}
