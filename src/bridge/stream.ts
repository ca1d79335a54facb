import { unreachable } from '../domain/messages.ts';
import { type HostRequest, HostUnreachable } from './bridge.ts';

/**
 * A call to our own server, as `backend` makes it, whose answer goes on: `hear` gets the text of a good one piece by piece. Resolves with the
 * status when it has ended. An aborted call rejects as `fetch` does, a broken one with `HostUnreachable`.
 */
export async function stream(url: string, init: HostRequest, hear: (text: string) => void): Promise<number> {
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
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) hear(piece.value);
    return answer.status;
  } catch (error) {
    signal?.throwIfAborted();
    throw new HostUnreachable(unreachable.server, { cause: error });
  }
}
