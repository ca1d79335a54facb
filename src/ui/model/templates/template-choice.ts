import * as v from 'valibot';
import { readAs } from '../../../domain/shape.ts';

const shape = v.object({
  templateIds: v.pipe(v.array(v.string()), v.minLength(1)),
  names: v.array(v.string()),
  mode: v.picklist(['APPEND', 'REPLACE']),
  /** The header below which the templates' rows go. */
  section: v.optional(v.object({ index: v.number(), text: v.string() })),
});

/** The templates chosen for import, passed from the dialog to the panel that opened it. */
export type TemplateChoice = v.InferOutput<typeof shape>;

/** Parses the dialog's result; `undefined` if nothing was chosen. */
export const parseChoice = (value: unknown): TemplateChoice | undefined => readAs(shape, value);
