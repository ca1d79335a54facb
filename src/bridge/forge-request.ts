import { unreachable } from '../domain/messages.ts';
import { untilAborted } from '../domain/timing.ts';
import { queryString } from './address.ts';
import { type HostRequest, type HostResponse, HostUnreachable } from './bridge.ts';
import { requestJira } from './forge-vendor.ts';
import { withHostTimeout } from './host-timeout.ts';

/** A call to the tracker's REST API in the user's name. The vendor's bridge knows no signals, and sends text without a type as plain. */
export async function request(path: string, init: HostRequest = {}): Promise<HostResponse> {
  const { method = 'GET', query, json, headers, signal } = init;
  signal?.throwIfAborted();
  const typed = {
    accept: 'application/json',
    ...headers,
    ...(json !== undefined && { 'content-type': 'application/json' }),
  };
  const body = json !== undefined && { body: JSON.stringify(json) };
  const work = requestJira(path + queryString(query), { method, headers: typed, ...body }).catch((cause: unknown) => {
    throw new HostUnreachable(unreachable.tracker, { cause });
  });
  const answer = await untilAborted(withHostTimeout(work), signal);
  const { status, statusText } = answer;
  return { status, statusText, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
}
