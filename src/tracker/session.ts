import type { FastifyReply, FastifyRequest } from 'fastify';
import { connectApp, type INACCESSIBLE } from './apps.ts';
import type { Scope } from './connect/descriptor.ts';
import { isCallOf } from './connect/tokens.ts';
import type { Context } from './context.ts';
import { callerThroughGateway } from './forge/gateway.ts';
import type { Caller } from './permissions.ts';
import { forbidden, RestError, unauthorized } from './rest/errors.ts';
import type { Person } from './site/model.ts';
import { editor, personOf } from './site/people.ts';

const ACCOUNT_COOKIE = 'tracker.account';
/** Header by which the page names the Forge app of a frame. */
const FORGE_APP_HEADER = 'x-forge-app';

/** The page's user, set by the user switch; at first the editor. */
export function visitorOf(request: FastifyRequest, reply: FastifyReply): Person {
  const person = personOf(request.cookies[ACCOUNT_COOKIE] ?? '');
  return person ?? signIn(reply, editor);
}

/** Sets the visitor's account. */
export function signIn(reply: FastifyReply, person: Person): Person {
  reply.setCookie(ACCOUNT_COOKIE, person.accountId, { path: '/', httpOnly: true, sameSite: 'lax' });
  return person;
}

/** The caller of the REST API: an app by token, a user by cookie, or an app's frame for that user. */
export async function callerOf({ addons, forge }: Context, request: FastifyRequest): Promise<Caller> {
  const admitted = callerThroughGateway(request);
  if (admitted) return admitted;
  const { authorization } = request.headers;
  const installed = addons.flatMap(addon => addon.installed() ?? []);
  if (authorization !== undefined) {
    const token = /^JWT (.+)$/.exec(authorization)?.[1];
    for (const { shared, descriptor } of token ? installed : []) {
      if (token && (await isCallOf(shared, token, request.method, request.url)))
        return { kind: 'app', app: connectApp(descriptor) };
    }
    throw unauthorized();
  }
  const person = personOf(request.cookies[ACCOUNT_COOKIE] ?? '');
  if (!person) return { kind: 'anonymous' };
  const app = request.headers[FORGE_APP_HEADER];
  if (app !== undefined) {
    const through = app === forge?.platform.appId ? forge.app.known() : undefined;
    if (!through) throw forbidden(`The app ${String(app)} is not installed.`);
    return { kind: 'person', person, through: { app: through, by: 'frame' } };
  }
  const frame = request.headers['ap-app-key'];
  if (frame === undefined) return { kind: 'person', person };
  const through = installed.find(({ descriptor }) => descriptor.key === frame)?.descriptor;
  if (!through) throw forbidden(`The app ${String(frame)} is not installed.`);
  return { kind: 'person', person, through: { app: connectApp(through), by: 'frame' } };
}

/**
 * Refuses calls outside the app's scopes; a user's own calls need none. `oauth` is Forge's scope if it differs from
 * the default.
 */
export function requireScope(caller: Caller, scope: Scope | typeof INACCESSIBLE, oauth?: string): void {
  const app = caller.kind === 'app' ? caller.app : caller.kind === 'person' ? caller.through?.app : undefined;
  if (app && !app.grants(scope, oauth)) {
    throw new RestError(403, `The app ${app.key} does not have the scope ${scope}, which this call needs.`);
  }
}
