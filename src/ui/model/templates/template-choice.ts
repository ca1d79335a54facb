import * as v from 'valibot';
import { readAs } from '../../../domain/shape.ts';

const shape = v.object({
  templateIds: v.pipe(v.array(v.string()), v.minLength(1)),
  names: v.array(v.string()),
  mode: v.picklist(['APPEND', 'REPLACE']),
  /** The header below which they go. */
  section: v.optional(v.object({ index: v.number(), text: v.string() })),
});

/** What somebody chose to import, as the dialog hands it to the panel that opened it. */
export type TemplateChoice = v.InferOutput<typeof shape>;

/** Reads what the dialog was closed with; `undefined` when nothing was chosen. */
export const parseChoice = (value: unknown): TemplateChoice | undefined => readAs(shape, value);
