import { unreachable } from '../domain/messages.ts';
import { queryString } from './address.ts';
import { type HostRequest, type HostResponse, HostUnreachable } from './bridge.ts';

/**
 * Calls the app's server by its address, or by a path on the server's own pages. An aborted call rejects as `fetch`
 * does.
 */
export async function backend(url: string, init: HostRequest = {}): Promise<HostResponse> {
  const { method = 'GET', query, json, headers, signal } = init;
  const options: RequestInit = { method, mode: 'cors', cache: 'no-store', headers: { ...headers } };
  if (signal) options.signal = signal;
  if (json !== undefined) {
    options.headers = { 'content-type': 'application/json', ...headers };
    options.body = JSON.stringify(json);
  }
  try {
    const response = await fetch(url + queryString(query), options);
    return { status: response.status, statusText: response.statusText, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    throw new HostUnreachable(unreachable.server, { cause: error });
  }
}
