import * as v from 'valibot';
import { unreachable } from '../domain/messages.ts';
import { readAs } from '../domain/shape.ts';
import { untilAborted } from '../domain/timing.ts';
import { queryString } from './address.ts';
import type { Ap, ApRequest } from './ap.ts';
import { type HostRequest, type HostResponse, HostUnreachable } from './bridge.ts';

const xhrShape = v.object({
  status: v.number(),
  statusText: v.optional(v.string()),
  responseText: v.optional(v.string()),
  headers: v.optional(v.unknown()),
});
const settledShape = v.object({ body: v.optional(v.string()), xhr: xhrShape });

/**
 * `AP.request` settles with `{ body, xhr }` or `{ err, xhr }` by its documentation; other versions of the host's script
 * give the bare text, or reject with the bare `xhr`. Without a status there was no answer.
 */
function responseOf(settled: unknown): HostResponse | undefined {
  if (typeof settled === 'string') return { status: 200, text: settled };
  const whole = readAs(settledShape, settled);
  const xhr = whole ? whole.xhr : readAs(xhrShape, settled);
  if (!xhr?.status) return undefined;
  const text = whole?.body ?? xhr.responseText ?? '';
  const { status, statusText, headers } = xhr;
  return { status, ...(statusText ? { statusText } : {}), text, headers };
}

function optionsOf(path: string, { method = 'GET', query, json, headers }: HostRequest): ApRequest {
  return {
    url: path + queryString(query),
    type: method,
    headers: { accept: 'application/json', ...headers },
    ...(json === undefined ? {} : { contentType: 'application/json', data: JSON.stringify(json) }),
  };
}

/** Calls the tracker's REST API as the user. */
export async function request(ap: Ap, path: string, init: HostRequest = {}): Promise<HostResponse> {
  init.signal?.throwIfAborted();
  // Resolved or rejected, the answer counts.
  const settled = ap.request(optionsOf(path, init)).then(
    value => ({ value, cause: undefined }),
    (cause: unknown) => ({ value: cause, cause }),
  );
  const { value, cause } = await untilAborted(settled, init.signal);
  const response = typeof cause === 'string' ? undefined : responseOf(value);
  if (!response) throw new HostUnreachable(unreachable.tracker, { cause });
  return response;
}
