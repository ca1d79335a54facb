import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasScope, type Scope } from './connect/descriptor.ts';
import { isCallOf } from './connect/tokens.ts';
import type { Context } from './context.ts';
import type { Caller } from './permissions.ts';
import { forbidden, RestError, unauthorized } from './rest/errors.ts';
import type { Person } from './site/model.ts';
import { editor, personOf } from './site/people.ts';

const COOKIE = 'tracker.account';

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

/** Who calls the REST API: an add-on with a token, a person with a cookie, the add-on's frame for that person. */
export async function callerOf({ addons }: Context, request: FastifyRequest): Promise<Caller> {
  const { authorization } = request.headers;
  const installed = addons.flatMap(addon => addon.installed() ?? []);
  if (authorization !== undefined) {
    const token = /^JWT (.+)$/.exec(authorization)?.[1];
    for (const { shared, descriptor } of token ? installed : []) {
      if (token && (await isCallOf(shared, token, request.method, request.url))) return { kind: 'addon', descriptor };
    }
    throw unauthorized();
  }
  const person = personOf(request.cookies[COOKIE] ?? '');
  if (!person) return { kind: 'anonymous' };
  const frame = request.headers['ap-app-key'];
  if (frame === undefined) return { kind: 'person', person };
  const through = installed.find(({ descriptor }) => descriptor.key === frame)?.descriptor;
  if (!through) throw forbidden(`The app ${String(frame)} is not installed.`);
  return { kind: 'person', person, through };
}

/** Refuses what the add-on's descriptor did not ask for; a person's own calls need no scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  const descriptor =
    caller.kind === 'addon' ? caller.descriptor : caller.kind === 'person' ? caller.through : undefined;
  if (descriptor && !hasScope(descriptor, scope)) {
    throw new RestError(403, `The app ${descriptor.key} does not have the scope ${scope}, which this call needs.`);
  }
}
