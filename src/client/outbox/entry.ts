import * as v from 'valibot';
import { changeSchema, typedTexts } from '../../domain/change.ts';
import { readAs } from '../../domain/shape.ts';

const place = {
  epoch: v.string(),
  seq: v.number(),
  text: v.string(),
  rows: v.optional(v.pipe(v.array(v.string()), v.readonly())),
};

const conflictShape = v.object({
  row: v.string(),
  attribute: v.string(),
  mine: v.string(),
  theirs: v.string(),
  rowId: v.optional(v.nullable(v.string()), null),
});

const resultShape = v.variant('kind', [
  v.object({
    kind: v.literal('stored'),
    reading: v.object({
      ...place,
      issueId: v.string(),
      name: v.string(),
      source: v.picklist(['property', 'field', 'revision', 'none']),
    }),
    conflicts: v.array(conflictShape),
    notices: v.array(v.string()),
  }),
  v.object({
    kind: v.literal('refused'),
    code: v.string(),
    message: v.string(),
    /** Kept until the user sends it again or discards it. */
    offered: v.boolean(),
  }),
]);

/** The outcome of an entry. */
export type Result = v.InferOutput<typeof resultShape>;

const entryShape = v.object({
  v: v.literal(1),
  /** The client id, the same for every attempt. */
  id: v.string(),
  /** Creation time, milliseconds since the epoch; increasing within an issue. */
  at: v.number(),
  /** The text as shown when it was made, with the entries before it. */
  base: v.object(place),
  edit: changeSchema,
  result: v.exactOptional(resultShape),
});

/** A change that is not acknowledged, or that was refused and is offered to the user. */
export type Entry = Omit<v.InferOutput<typeof entryShape>, 'v'>;

export const writeEntry = (entry: Entry): string => JSON.stringify({ v: 1, ...entry });

/** Reads a stored entry; `undefined` for anything else. */
export function readEntry(stored: string | null | undefined): Entry | undefined {
  try {
    const parsedEntry = readAs(entryShape, JSON.parse(stored ?? 'null'));
    if (!parsedEntry) return undefined;
    const { v: _, ...entry } = parsedEntry;
    return entry;
  } catch {
    return undefined;
  }
}

export type Waiting = Entry & { result?: undefined };
export type Refused = Entry & { result: Extract<Result, { kind: 'refused' }> };

/** Whether an entry has no result yet: it shows, and is sent. */
export const isWaiting = (entry: Entry): entry is Waiting => entry.result === undefined;

export const isRefused = (entry: Entry): entry is Refused => entry.result?.kind === 'refused';

/** Whether an entry holds text that the user typed. */
export const isTyped = ({ edit }: Entry): boolean =>
  edit.kind !== 'changeChecklistItems' && typedTexts(edit).length > 0;
