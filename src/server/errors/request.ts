import * as z from 'zod';

/** A missing or invalid token. The message is for the log. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** The input does not have the route's shape. The message is for the client's developer. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

/** Parses a request's body or query. Throws `BadInput`. */
export function readInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const read = shape.safeParse(input);
  if (!read.success) throw new BadInput(z.prettifyError(read.error));
  return read.data;
}
