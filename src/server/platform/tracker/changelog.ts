import * as v from 'valibot';
import { numberText, readAs } from '../../../domain/shape.ts';

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
  /** Account id, if the tracker has it. */
  author: string | undefined;
  fields: readonly FieldEntry[];
}

/** Consecutive entries up to the newest, oldest first. */
export interface ChangelogPart {
  entries: readonly ChangelogEntry[];
  /** Whether older ones may be missing. */
  isCut: boolean;
  /** Id of the newest entry, 0 if there is none; `null` if unknown. */
  newest: number | null;
}

/** The tracker's limit of entries of one issue in a response. */
export const ENTRIES_PER_PAGE = 100;

/** Own members only: every object inherits `toString`. */
const itemShape = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((item): FieldEntry => {
    const stringOf = (name: string) => (typeof item[name] === 'string' ? item[name] : null);
    return {
      field: stringOf('fieldId') ?? stringOf('field') ?? '',
      from: stringOf('fromString'),
      to: stringOf('toString'),
    };
  }),
);
const entryShape = v.pipe(
  v.object({
    id: numberText,
    author: v.nullish(v.object({ accountId: v.string() })),
    items: v.optional(v.array(itemShape), []),
  }),
  v.transform(({ id, author, items }): ChangelogEntry => ({ id, author: author?.accountId, fields: items })),
);
const partShape = v.object({ changelog: v.optional(v.object({ histories: v.array(v.unknown()) })) });

/** Parses entries, oldest first; malformed ones are left out. */
export const readEntries = (values: readonly unknown[]): ChangelogEntry[] =>
  values.flatMap(each => readAs(entryShape, each) ?? []).sort((one, other) => one.id - other.id);

/** The newest entries, from the response to a read of an issue with its changelog expanded. */
export function readEmbeddedChangelog(body: unknown): ChangelogPart {
  const histories = readAs(partShape, body)?.changelog?.histories;
  const entries = readEntries(histories ?? []);
  const isCut = histories !== undefined && histories.length >= ENTRIES_PER_PAGE;
  return { entries, isCut, newest: histories ? (entries.at(-1)?.id ?? 0) : null };
}
