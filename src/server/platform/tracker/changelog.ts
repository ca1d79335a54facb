import * as z from 'zod';

/** A change of one field in an issue's changelog. */
export interface FieldEntry {
  field: string;
  from: string | null;
  to: string | null;
}

/** An entry of an issue's changelog. */
export interface ChangelogEntry {
  /** Ascending. */
  id: number;
  /** Account id, where the tracker has it. */
  author: string | undefined;
  fields: readonly FieldEntry[];
}

/** Consecutive entries up to the newest, oldest first. */
export interface ChangelogPart {
  entries: readonly ChangelogEntry[];
  /** Whether older ones may be missing. */
  isCut: boolean;
  /** Id of the newest entry, 0 where there is none; `null` where unknown. */
  newest: number | null;
}

/** Most entries of one issue in a response. */
export const PAGE = 100;

/** Own members only: every object inherits `toString`. */
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

/** Parses entries, oldest first; malformed ones are left out. */
export const readEntries = (found: readonly unknown[]): ChangelogEntry[] =>
  found.flatMap(each => entryShape.safeParse(each).data ?? []).sort((one, other) => one.id - other.id);

/** The newest entries, from the response to a read of an issue with its changelog expanded. */
export function readEmbeddedChangelog(body: unknown): ChangelogPart {
  const histories = partShape.safeParse(body).data?.changelog?.histories;
  const entries = readEntries(histories ?? []);
  const isCut = histories !== undefined && histories.length >= PAGE;
  return { entries, isCut, newest: histories ? (entries.at(-1)?.id ?? 0) : null };
}
