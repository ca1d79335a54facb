import { type GenericSchema, type InferOutput, safeParse } from 'valibot';

/** Parses an outside value by a shape; `undefined` where it does not match. */
export function readAs<Shape extends GenericSchema>(shape: Shape, value: unknown): InferOutput<Shape> | undefined {
  const parsed = safeParse(shape, value);
  return parsed.success ? parsed.output : undefined;
}

/** Parses JSON; `undefined` for an invalid text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
