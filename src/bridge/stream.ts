import { unreachable } from '../domain/messages.ts';
import { type HostRequest, HostUnreachable } from './bridge.ts';

/**
 * Calls the app's server like `backend` with a streamed answer: `onText` gets the text of a successful one in parts.
 * Resolves with the status at its end. An aborted call rejects as `fetch` does, an interrupted one with
 * `HostUnreachable`.
 */
export async function stream(url: string, init: HostRequest, onText: (text: string) => void): Promise<number> {
  const { json, headers, signal } = init;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      cache: 'no-store',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
      ...(signal && { signal }),
    });
    if (answer.status !== 200 || !answer.body) {
      await answer.body?.cancel();
      return answer.status;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) onText(piece.value);
    return answer.status;
  } catch (error) {
    signal?.throwIfAborted();
    throw new HostUnreachable(unreachable.server, { cause: error });
  }
}
