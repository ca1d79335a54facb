import type { ClientRequest } from 'node:http';
import { withTimeout } from '../../domain/timing.ts';

/** The answer of a request, which is destroyed if there is none after the timeout in milliseconds. */
export const answerWithin = <T>(request: ClientRequest, answer: Promise<T>, timeout: number): Promise<T> =>
  withTimeout(answer, timeout, () => {
    const error = new Error('No answer in time.');
    request.destroy(error);
    return error;
  });

/** An answer that is longer than its reader takes. */
export class TooLong extends Error {
  override readonly name = 'TooLong';

  constructor(most: number) {
    super(`The answer is longer than ${most} bytes.`);
  }
}

/** Reads a response's text of at most `most` bytes; rejects with `TooLong` beyond that, without reading on. */
export async function readBounded(response: Pick<Response, 'body'>, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // Leaving the loop cancels the rest.
    if (size > most) throw new TooLong(most);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
