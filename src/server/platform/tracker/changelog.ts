import * as z from 'zod';

/** A change of one field, as the changelog has it. */
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

/** Entries of one issue that the tracker gives at once. */
export const PAGE = 100;

/** `toString` is a member that every object has: only own ones count. */
const itemShape = z.record(z.string(), z.unknown()).transform((item): FieldEntry => {
  const own = (name: string) => (typeof item[name] === 'string' ? item[name] : null);
  return { field: own('fieldId') ?? own('field') ?? '', from: own('fromString'), to: own('toString') };
});
const entryShape = z
  .object({
    id: z.coerce.number(),
    author: z.object({ accountId: z.string() }).nullish(),
    items: z.array(itemShape).default([]),
  })
  .transform(({ id, author, items }): ChangelogEntry => ({ id, author: author?.accountId, fields: items }));
const partShape = z.object({ changelog: z.object({ histories: z.array(z.unknown()) }).optional() });

/** The tracker's entries, oldest first; one that is not as documented is left out. */
export const readEntries = (found: readonly unknown[]): ChangelogEntry[] =>
  found.flatMap(each => entryShape.safeParse(each).data ?? []).sort((one, other) => one.id - other.id);

/** The changelog in the answer to a read of an issue that was expanded by it: its newest entries. */
export function readEmbeddedChangelog(body: unknown): ChangelogPart {
  const histories = partShape.safeParse(body).data?.changelog?.histories;
  const entries = readEntries(histories ?? []);
  const isCut = histories !== undefined && histories.length >= PAGE;
  return { entries, isCut, newest: histories ? (entries.at(-1)?.id ?? 0) : null };
}
