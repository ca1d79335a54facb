import { randomUUID } from 'node:crypto';
import type { TokenScope } from '../../../src/domain/api/operations.ts';
import { addToken } from '../../../src/server/api-tokens/records.ts';
import { hashSecret, newSecret } from '../../../src/server/api-tokens/secret.ts';
import type { Store } from '../../../src/server/store/store.ts';
import type { TestApp } from './app.ts';

export interface TokenOptions {
  name?: string;
  scope?: TokenScope;
  projects?: string[];
  until?: Date | null;
}

/** Stores an API token as an administrator's creation does; resolves with its id and secret. */
export async function createToken(
  store: Store,
  it: TestApp,
  { name = `Token ${randomUUID()}`, scope = 'WRITE', projects = [], until = null }: TokenOptions = {},
): Promise<{ id: string; secret: string }> {
  const tenant = await it.tenants.find(it.tenant.id);
  if (!tenant) throw new Error('Not installed.');
  const [id, secret] = [randomUUID(), newSecret(tenant.id)];
  const about = { tenant: tenant.id, epoch: tenant.epoch, hash: hashSecret(secret) };
  await store.tenant(tenant.id, tx => addToken(tx, about, { id, name, scope, projects, account: 'admin', until }));
  return { id, secret };
}

/** Sends a request of the REST API with a token. */
export async function callApi(
  { app }: Pick<TestApp, 'app'>,
  secret: string | undefined,
  path: string,
  { body, headers = {}, from }: { body?: unknown; headers?: Record<string, string>; from?: string } = {},
) {
  const response = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/api/v1${path}`,
    ...(from !== undefined && { remoteAddress: from }),
    headers: {
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    json: () => response.json() as Record<string, unknown>,
  };
}
export type ApiResponse = Awaited<ReturnType<typeof callApi>>;
