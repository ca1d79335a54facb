import type { FastifyReply, FastifyRequest } from 'fastify';
import { connectApp } from './apps.ts';
import type { Scope } from './connect/descriptor.ts';
import { isCallOf } from './connect/tokens.ts';
import type { Context } from './context.ts';
import { callerThroughGateway } from './forge/gateway.ts';
import type { Caller } from './permissions.ts';
import { forbidden, RestError, unauthorized } from './rest/errors.ts';
import type { Person } from './site/model.ts';
import { editor, personOf } from './site/people.ts';

const COOKIE = 'tracker.account';
/** By this header the page names the Forge app whose frame asks. */
const FORGE_APP = 'x-forge-app';

/** Who looks at the page: as the user switch left it, at first the editor. */
export function visitorOf(request: FastifyRequest, reply: FastifyReply): Person {
  const person = personOf(request.cookies[COOKIE] ?? '');
  return person ?? signIn(reply, editor);
}

/** Makes the visitor that person. */
export function signIn(reply: FastifyReply, person: Person): Person {
  reply.setCookie(COOKIE, person.accountId, { path: '/', httpOnly: true, sameSite: 'lax' });
  return person;
}

/** Who calls the REST API: an app with a token, a person with a cookie, an app's frame for that person. */
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
  const person = personOf(request.cookies[COOKIE] ?? '');
  if (!person) return { kind: 'anonymous' };
  const app = request.headers[FORGE_APP];
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
 * Refuses what the app did not ask for; a person's own calls need no scope. `oauth` is Forge's scope for the call where
 * it is another than usual.
 */
export function requireScope(caller: Caller, scope: Scope, oauth?: string): void {
  const app = caller.kind === 'app' ? caller.app : caller.kind === 'person' ? caller.through?.app : undefined;
  if (app && !app.grants(scope, oauth)) {
    throw new RestError(403, `The app ${app.key} does not have the scope ${scope}, which this call needs.`);
  }
}
