import * as v from 'valibot';
import { unreachable } from '../domain/messages.ts';
import { readAs } from '../domain/shape.ts';
import { type HostResponse, HostUnreachable } from './bridge.ts';
import { invokeRemote } from './forge-vendor.ts';
import { withHostTimeout } from './host-timeout.ts';

const answerShape = v.object({ status: v.number(), body: v.optional(v.unknown()) });
/** The answer to a frame's sign-in besides the token; the issue of a portal request. */
const sessionShape = v.object({
  url: v.pipe(v.string(), v.regex(/^https?:\/\/[^/]/)),
  issue: v.optional(v.object({ id: v.string(), key: v.string() })),
});

export interface Signed {
  /** Address of the app's server, without a trailing slash. */
  url: string;
  issue: { id: string; key: string } | undefined;
}

export interface ForgeServer {
  /** See `HostBridge.signIn`. Concurrent callers share one call. */
  signIn(): Promise<HostResponse>;
  /** The last successful sign-in; signs in if there was none. */
  signed(): Promise<Signed>;
}

/**
 * The app's server as seen by a frame: sign-in goes through the host, which vouches for the user; its answer names the
 * address for direct calls.
 */
export function forgeServer(): ForgeServer {
  let pending: Promise<HostResponse> | undefined;
  let last: Signed | undefined;

  async function ask(): Promise<HostResponse> {
    const headers = { 'content-type': 'application/json' };
    const call = invokeRemote({ path: '/api/forge/session', method: 'POST', headers, body: '{}' });
    const answered: unknown = await withHostTimeout(call).catch((cause: unknown) => {
      throw cause instanceof HostUnreachable ? cause : new HostUnreachable(unreachable.server, { cause });
    });
    // An error instead of an answer: the host did not reach the server, or the server could not verify the host.
    const answer = readAs(answerShape, answered);
    if (!answer) throw new HostUnreachable(unreachable.server, { cause: answered });
    const { status, body = null } = answer;
    if (status >= 200 && status < 300) {
      const session = readAs(sessionShape, body);
      if (!session) throw new HostUnreachable(unreachable.server);
      last = { url: session.url.replace(/\/+$/, ''), issue: session.issue };
    }
    return { status, text: JSON.stringify(body) };
  }

  const signIn = () => {
    pending ??= ask().finally(() => {
      pending = undefined;
    });
    return pending;
  };

  return {
    signIn,
    async signed() {
      if (!last) await signIn();
      if (!last) throw new HostUnreachable(unreachable.server);
      return last;
    },
  };
}
