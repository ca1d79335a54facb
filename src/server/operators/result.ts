/** The result of a command. `json` and `text` have equal contents. */
export interface Result {
  json: unknown;
  text: string;
  /** The exit code, by default 0. */
  code?: number;
}

/** Thrown if a command does nothing; the message is for the operator. */
export class Declined extends Error {
  override readonly name = 'Declined';
}
