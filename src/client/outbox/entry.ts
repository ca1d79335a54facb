import * as v from 'valibot';
import { changeSchema, typedTexts } from '../../domain/change.ts';
import { readAs } from '../../domain/shape.ts';

const place = { epoch: v.string(), seq: v.number(), text: v.string() };

const resultShape = v.variant('kind', [
  v.object({
    kind: v.literal('stored'),
    reading: v.object({
      ...place,
      issueId: v.string(),
      name: v.string(),
      source: v.picklist(['property', 'field', 'revision', 'none']),
    }),
    conflicts: v.array(v.object({ row: v.string(), attribute: v.string(), mine: v.string(), theirs: v.string() })),
    notices: v.array(v.string()),
  }),
  v.object({
    kind: v.literal('refused'),
    code: v.string(),
    message: v.string(),
    /** It is kept until somebody has decided: send it again, or forget it. */
    offered: v.boolean(),
  }),
]);

/** What became of an entry. */
export type Result = v.InferOutput<typeof resultShape>;

const entryShape = v.object({
  v: v.literal(1),
  /** The client id under which it is sent, however often. */
  id: v.string(),
  /** When it was made, milliseconds since the epoch; later entries of an issue have higher ones. */
  at: v.number(),
  /** What it was made on, as it showed: with the entries before it, which may not be stored yet. */
  base: v.object(place),
  edit: changeSchema,
  result: v.exactOptional(resultShape),
});

/** One edit that is not acknowledged yet, or that was refused and is offered. */
export type Entry = Omit<v.InferOutput<typeof entryShape>, 'v'>;

export const writeEntry = (entry: Entry): string => JSON.stringify({ v: 1, ...entry });

/** What the browser kept, read back; `undefined` for what is no entry of ours. */
export function readEntry(kept: string | null | undefined): Entry | undefined {
  try {
    const read = readAs(entryShape, JSON.parse(kept ?? 'null'));
    if (!read) return undefined;
    const { v: _, ...entry } = read;
    return entry;
  } catch {
    return undefined;
  }
}

export type Waiting = Entry & { result?: undefined };
export type Refused = Entry & { result: Extract<Result, { kind: 'refused' }> };

/** Not settled: it shows, and is sent. */
export const isWaiting = (entry: Entry): entry is Waiting => entry.result === undefined;

export const isRefused = (entry: Entry): entry is Refused => entry.result?.kind === 'refused';

/** Whether an entry holds what a user typed, which no click brings back. */
export const isTyped = ({ edit }: Entry): boolean =>
  edit.kind !== 'changeChecklistItems' && typedTexts(edit).length > 0;
