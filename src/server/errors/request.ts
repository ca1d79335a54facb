import type { GenericSchema, InferOutput } from 'valibot';
import { parseAs } from '../../domain/shape.ts';

/** A missing or invalid token. The message is for the log. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
}

/** The input does not have the route's shape. The message is for the client's developer. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

/** Parses a request's body or query. Throws `BadInput`. */
export const readInput = <Shape extends GenericSchema>(shape: Shape, input: unknown): InferOutput<Shape> =>
  parseAs(shape, input, problem => new BadInput(problem));
