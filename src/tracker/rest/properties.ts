import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { PROPERTY_CAPACITY } from '../../domain/constants.ts';
import { parseAs } from '../../domain/shape.ts';
import { encodedSize } from '../../domain/storage.ts';
import type { Scope } from '../connect/descriptor.ts';
import type { Context } from '../context.ts';
import { type Caller, holds } from '../permissions.ts';
import { requireScope } from '../session.ts';
import { personOf } from '../site/people.ts';
import { editableIssue, requireSignedIn, visibleIssue, visibleProject } from './access.ts';
import { deleteIssueProperty, putIssueProperty } from './changes.ts';
import { AppRefusal, appsOnly, badRequest, forbidden, RestError } from './errors.ts';
import { ownGadget } from './gadgets.ts';

const MAX_KEY_CHARS = 255;
/** A property of a Connect add-on, for its Forge successor: the client key of the site's signatures. */
const CLIENT_KEY_PROPERTY = 'connect_client_key_019cdff3-8bfb-71fe-9628-875b700aebb8';
const params = v.object({ key: v.string() });
const owned = v.object({ owner: v.string() });
const account = v.object({ accountId: v.optional(v.string()) });

/** An owner of properties, and its hooks for changes. */
interface Bearer {
  /** Prefix of the properties' ids in the collection. */
  prefix: string;
  put?: (key: string, value: unknown) => Promise<void>;
  delete?: (key: string) => Promise<void>;
}

interface Kind {
  path: string;
  /** Throws when the caller may not read, or not write, the owner's properties. */
  bearer(request: FastifyRequest, caller: Caller, access: 'read' | 'write'): Bearer;
  scopes: { write: Scope; delete: Scope };
  /** Forge's scopes, if they differ. */
  oauth?: { read: string; write: string };
  /** Values that exist without being stored. */
  reserved?(key: string): unknown;
  /** Whether the properties are an app's own, whose answers have another format. */
  isOfApp?: true;
}

/** Properties of issues, projects and users, and of the add-on itself: list, read, write, delete. */
export function propertyRoutes(app: FastifyInstance, context: Context): void {
  for (const version of ['2', '3', 'latest']) {
    const root = `/api/${version}`;
    register(app, context, {
      path: `${root}/issue/:owner/properties`,
      bearer: (request, caller, access) => issueBearer(context, request, caller, access),
      scopes: { write: 'WRITE', delete: 'DELETE' },
    });
    register(app, context, {
      path: `${root}/project/:owner/properties`,
      bearer: (request, caller, access) => projectBearer(context, request, caller, access),
      scopes: { write: 'WRITE', delete: 'PROJECT_ADMIN' },
      oauth: { read: 'read:jira-work', write: 'manage:jira-project' },
    });
    register(app, context, {
      path: `${root}/dashboard/:dashboard/items/:owner/properties`,
      bearer: (request, caller) => gadgetBearer(context, request, caller),
      scopes: { write: 'WRITE', delete: 'DELETE' },
    });
    register(app, context, {
      path: `${root}/user/properties`,
      bearer: userBearer,
      scopes: { write: 'WRITE', delete: 'DELETE' },
    });
  }
  register(app, context, {
    path: '/atlassian-connect/1/addons/:owner/properties',
    bearer: addonBearer,
    scopes: { write: 'READ', delete: 'READ' },
    oauth: { read: 'read:app-data:jira', write: 'write:app-data:jira' },
    reserved: key => (key === CLIENT_KEY_PROPERTY ? clientKeyOf(context) : undefined),
    isOfApp: true,
  });
}

function register(
  app: FastifyInstance,
  { site }: Context,
  { path, bearer, scopes, oauth, reserved, isOfApp }: Kind,
): void {
  const Refusal = isOfApp ? AppRefusal : RestError;
  const noProperty = (key: string) => new Refusal(404, `The property with key '${key}' does not exist.`);

  app.get(path, request => {
    requireScope(request.caller, 'READ', oauth?.read);
    const { prefix } = bearer(request, request.caller, 'read');
    const keys = site.properties.list(prefix).map(({ id }) => id.slice(prefix.length));
    return { keys: keys.map(key => ({ self: `${site.url}${selfPath(request.url)}/${encodeURIComponent(key)}`, key })) };
  });

  app.get(`${path}/:key`, request => {
    requireScope(request.caller, 'READ', oauth?.read);
    const { key } = parseAs(params, request.params);
    const { prefix } = bearer(request, request.caller, 'read');
    const value = reserved?.(key) ?? site.properties.get(prefix + key);
    if (value === undefined) throw noProperty(key);
    return { key, value };
  });

  app.put(`${path}/:key`, async (request, reply) => {
    requireScope(request.caller, scopes.write, oauth?.write);
    const { key } = parseAs(params, request.params);
    const { prefix, put } = bearer(request, request.caller, 'write');
    const value = request.body;
    requireStorable(key, value);
    const isNew = site.properties.get(prefix + key) === undefined;
    await (put ? put(key, value) : site.properties.put(prefix + key, value));
    const statusCode = isNew ? 201 : 200;
    return reply
      .code(statusCode)
      .send(isOfApp && { message: `Property ${isNew ? 'created' : 'updated'}.`, statusCode });
  });

  app.delete(`${path}/:key`, async (request, reply) => {
    requireScope(request.caller, scopes.delete, oauth?.write);
    const { key } = parseAs(params, request.params);
    const { prefix, delete: remove } = bearer(request, request.caller, 'write');
    if (site.properties.get(prefix + key) === undefined) throw noProperty(key);
    await (remove ? remove(key) : site.properties.delete(prefix + key));
    return reply.code(204).send();
  });
}

/** Throws 400 for an invalid value. */
export function requireStorable(key: string, value: unknown): void {
  if (key.length > MAX_KEY_CHARS)
    throw badRequest(`The property key cannot be longer than ${MAX_KEY_CHARS} characters.`);
  if (value === undefined) throw badRequest('The property value must be valid, non-empty JSON.');
  if (encodedSize(value) > PROPERTY_CAPACITY) {
    throw badRequest(`The property value cannot be longer than ${PROPERTY_CAPACITY} characters.`);
  }
}

const selfPath = (url: string) => url.split('?')[0] ?? '';

function issueBearer(context: Context, request: FastifyRequest, caller: Caller, access: 'read' | 'write'): Bearer {
  const { owner } = parseAs(owned, request.params);
  const issue = access === 'write' ? editableIssue(context, caller, owner) : visibleIssue(context, caller, owner);
  return {
    prefix: `issue/${issue.id}/`,
    put: (key, value) => putIssueProperty(context, caller, issue, key, value),
    delete: key => deleteIssueProperty(context, caller, issue, key),
  };
}

function projectBearer(context: Context, request: FastifyRequest, caller: Caller, access: 'read' | 'write'): Bearer {
  const project = visibleProject(context, caller, parseAs(owned, request.params).owner);
  if (access === 'write' && !holds(caller, 'ADMINISTER_PROJECTS', { project })) {
    throw forbidden('You do not have permission to administer this project.');
  }
  return { prefix: `project/${project.id}/` };
}

/** A user's gadgets are that user's alone. */
function gadgetBearer(context: Context, request: FastifyRequest, caller: Caller): Bearer {
  const { id } = ownGadget(context, caller, parseAs(owned, request.params).owner);
  return { prefix: `gadget/${id}/` };
}

function userBearer(request: FastifyRequest, caller: Caller): Bearer {
  requireSignedIn(caller);
  const ownAccount = caller.kind === 'person' ? caller.person.accountId : undefined;
  const accountId = parseAs(account, request.query).accountId ?? ownAccount;
  if (accountId === undefined || !personOf(accountId)) throw new RestError(404, 'The user does not exist.');
  if (accountId !== ownAccount && !holds(caller, 'ADMINISTER')) {
    throw forbidden('You do not have permission to see or change properties of other users.');
  }
  return { prefix: `user/${accountId}/` };
}

/** The client key of the Forge app's Connect add-on, while both are installed. */
const clientKeyOf = ({ addons, forge }: Context): string | undefined =>
  addons
    .flatMap(addon => addon.installed()?.shared ?? [])
    .find(({ addonKey }) => addonKey === forge?.platform.manifest.app.connect?.key)?.clientKey;

/** Accessible to the app's server only, not to its frames. */
function addonBearer(request: FastifyRequest, caller: Caller): Bearer {
  const { owner } = parseAs(owned, request.params);
  if (caller.kind !== 'app') throw appsOnly();
  if (owner !== caller.app.key) throw new AppRefusal(404, `The app ${owner} is not installed.`);
  return { prefix: `addon/${owner}/` };
}
