import type { GenericSchema, InferOutput } from 'valibot';
import { parseAs } from '../../domain/shape.ts';

/** A missing or invalid token. The message is for the log. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized';
  /** Nothing was tried: there is no token, or a genuine one that has expired. */
  readonly isHarmless: boolean;

  constructor(message: string, isHarmless = false) {
    super(message);
    this.isHarmless = isHarmless;
  }
}

/** More requests than the limits permit. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  /** Seconds until the limit permits more. */
  readonly reset: number;

  constructor(reset: number) {
    super();
    this.reset = reset;
  }
}

/** The input does not have the route's shape. The message is for the client's developer. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}

/** Parses a request's body or query. Throws `BadInput`. */
export const readInput = <Shape extends GenericSchema>(shape: Shape, input: unknown): InferOutput<Shape> =>
  parseAs(shape, input, problem => new BadInput(problem));
