import * as v from 'valibot';
import { unreachable } from '../domain/messages.ts';
import { readAs } from '../domain/shape.ts';
import { answered } from './host-timeout.ts';
import { type HostResponse, HostUnreachable } from './bridge.ts';
import { invokeRemote } from './forge-vendor.ts';

const answerShape = v.object({ status: v.number(), body: v.optional(v.unknown()) });
/** What our server says to a frame that signs in, beside its token; the issue is the one behind a portal's request. */
const sessionShape = v.object({
  url: v.pipe(v.string(), v.regex(/^https?:\/\/[^/]/)),
  issue: v.optional(v.object({ id: v.string(), key: v.string() })),
});

export interface Signed {
  /** Where our server is, without a slash at the end. */
  url: string;
  issue: { id: string; key: string } | undefined;
}

export interface ForgeServer {
  /** See `HostBridge.signIn`. Callers at one time share one call. */
  signIn(): Promise<HostResponse>;
  /** What the last good sign-in said; it signs in where there was none. */
  signed(): Promise<Signed>;
}

/**
 * Our own server, as a frame finds it: the host vouches for the viewer, in a call that it makes for the frame, and the
 * answer says where to call directly from then on.
 */
export function forgeServer(): ForgeServer {
  let underWay: Promise<HostResponse> | undefined;
  let last: Signed | undefined;

  async function ask(): Promise<HostResponse> {
    const headers = { 'content-type': 'application/json' };
    const call = invokeRemote({ path: '/api/forge/session', method: 'POST', headers, body: '{}' });
    const said: unknown = await answered(call).catch((cause: unknown) => {
      throw cause instanceof HostUnreachable ? cause : new HostUnreachable(unreachable.server, { cause });
    });
    // Where the host did not reach our server, or that could not verify the host, there is an error in the answer's place.
    const answer = readAs(answerShape, said);
    if (!answer) throw new HostUnreachable(unreachable.server, { cause: said });
    const { status, body = null } = answer;
    if (status >= 200 && status < 300) {
      const session = readAs(sessionShape, body);
      if (!session) throw new HostUnreachable(unreachable.server);
      last = { url: session.url.replace(/\/+$/, ''), issue: session.issue };
    }
    return { status, text: JSON.stringify(body) };
  }

  const signIn = () => {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    return underWay;
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
