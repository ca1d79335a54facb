import type { HostBridge, HostRequest } from '../../bridge/bridge.ts';
import { TrackerError } from '../errors.ts';

/** Parses JSON; an empty object when the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Calls the tracker's REST API as the user; rejects with the answer's text unless the status is a success. */
export async function call(bridge: HostBridge, path: string, init?: HostRequest): Promise<unknown> {
  const { status, text } = await bridge.request(path, init);
  if (status < 200 || status > 299) throw new TrackerError(status, text);
  return parseJson(text);
}
