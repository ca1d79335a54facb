import * as z from 'zod';

/** No token, or one that does not belong here. The reason is for the log. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** What came with a request is not what the route takes. The message says why, for whoever wrote the caller. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

/** Reads what came with a request: its body or query. Throws `BadInput`. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const read = shape.safeParse(input);
  if (!read.success) throw new BadInput(z.prettifyError(read.error));
  return read.data;
}
