import { type GenericSchema, type InferOutput, safeParse } from 'valibot';

/** A value from outside, read as the shape says; `undefined` when it is of another. */
export function readAs<Shape extends GenericSchema>(shape: Shape, value: unknown): InferOutput<Shape> | undefined {
  const parsed = safeParse(shape, value);
  return parsed.success ? parsed.output : undefined;
}

/** A text as JSON; `undefined` where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
