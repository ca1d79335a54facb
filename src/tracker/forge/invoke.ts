import { type AddonAnswer, AddonUnreachable } from '../connect/http.ts';
import { errorText } from '../log.ts';
import type { HostInvocation, HostInvoked } from '../wire/forge.ts';
import type { Installed } from './installation.ts';
import type { Mounted } from './modules.ts';
import type { ForgePlatform } from './platform.ts';
import { callRemote } from './remote.ts';

/** The platform's limits of a request from a frame to the app's server, and of the answer. */
const MAX_REQUEST_BYTES = 500 * 1024;
const MAX_ANSWER_BYTES = 5 * 1024 * 1024;

const failed = (message: string): HostInvoked => ({ success: false, error: { message } });

/** Handles `invokeRemote`: a frame's call to the app's server, with the platform's limits. */
export async function invokeRemote(
  platform: ForgePlatform,
  installed: Installed,
  { module, type, endpoint }: Mounted,
  { path, method = 'GET', headers = {}, body, modal }: HostInvocation,
): Promise<HostInvoked> {
  const text = body === undefined || body === null ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  if (text !== undefined && Buffer.byteLength(text) > MAX_REQUEST_BYTES)
    return failed('The request is larger than 500 KB.');
  const { accountId, cloudId, siteUrl, moduleKey, localId, extension } = module.context;
  try {
    const answer = await callRemote(platform, installed, {
      ...{ endpoint, module: { type, key: moduleKey }, method, path, body: text, account: accountId },
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(',')])),
      context: {
        cloudId,
        siteUrl,
        moduleKey,
        localId,
        extension: modal === undefined ? extension : { ...extension, modal },
      },
      seconds: platform.settings.invokeSeconds,
    });
    return readAnswer(answer);
  } catch (error) {
    if (error instanceof AddonUnreachable) return failed(errorText(error));
    throw error;
  }
}

/** Answers are JSON; redirects are errors; a 401 means an invalid invocation token. */
function readAnswer({ status, ok, headers, text }: AddonAnswer): HostInvoked {
  if (status === 401) return failed('The remote could not verify the Forge invocation token.');
  if (status >= 300 && status < 400) return failed('The remote answered with a redirect.');
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return failed('The answer is larger than 5 MB.');
  const body = text === '' && ok ? { json: null } : jsonOf(text);
  if (!body) return failed('The answer is no JSON.');
  const named = Object.fromEntries([...headers].map(([name, value]) => [name, [value]]));
  return { success: true, payload: { status, headers: named, body: body.json } };
}

function jsonOf(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
