import {
  type BaseIssue,
  check,
  custom,
  finite,
  type GenericSchema,
  type InferOutput,
  optional,
  pipe,
  record,
  safeInteger,
  safeParse,
  string,
  summarize,
  toNumber,
  trim,
  unknown,
} from 'valibot';

/** Parses an outside value by a shape; `undefined` if it does not match. */
export function readAs<Shape extends GenericSchema>(shape: Shape, value: unknown): InferOutput<Shape> | undefined {
  const parsed = safeParse(shape, value);
  return parsed.success ? parsed.output : undefined;
}

/** Those of some values that match a shape. */
export const readEach = <Shape extends GenericSchema>(shape: Shape, values: readonly unknown[]): InferOutput<Shape>[] =>
  values.flatMap(value => {
    const parsed = safeParse(shape, value);
    return parsed.success ? [parsed.output] : [];
  });

/** A number, which may be written as text: in a query, in the environment, by the database. */
export const numberText = pipe(unknown(), toNumber('Expected a number'), finite());

export const integerText = pipe(numberText, safeInteger('Expected an integer'));

/** The URL of a page or service. */
export const webUrl = pipe(
  string(),
  trim(),
  check(value => /^https?:\/\//i.test(value) && URL.canParse(value), 'Expected an http or https URL'),
);

/** Values by name; none if they are left out. */
export const byName = optional(record(string(), unknown()), {});

/** Refuses arrays, which an object shape without a required key takes. */
export const notArray = custom<unknown>(value => !Array.isArray(value), 'Expected an object');

/** An outside value of another shape. The message names what is expected and where, never the value: it may be secret. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
}

/** The messages of validations that have none of their own. */
const messages = {
  message({ kind, type, expected, received }: BaseIssue<unknown>): string {
    if (kind === 'schema') return `${received === 'undefined' ? 'Missing: expected' : 'Expected'} ${expected}`;
    return `Invalid ${type.replaceAll('_', ' ')}${expected === null ? '' : `: expected ${expected}`}`;
  },
};

/** Parses an outside value by a shape; throws a `Mismatch`, or the error of `refusal`, if it does not match. */
export function parseAs<Shape extends GenericSchema>(
  shape: Shape,
  value: unknown,
  refusal = (problem: string, _issues: readonly BaseIssue<unknown>[]): Error => new Mismatch(problem),
): InferOutput<Shape> {
  const parsed = safeParse(shape, value, messages);
  if (!parsed.success) throw refusal(summarize(parsed.issues), parsed.issues);
  return parsed.output;
}

/** Parses JSON; `undefined` for an invalid text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
