import { afterEach, expect, test, vi } from 'vitest';
import { backend } from '../../src/bridge/backend.ts';
import { HostUnreachable } from '../../src/bridge/bridge.ts';

afterEach(() => vi.unstubAllGlobals());

test('a call to the server carries query, JSON and headers, and resolves for any status', async () => {
  const fetched = vi.fn(
    async () => new Response('{"error":"Unauthorized."}', { status: 401, statusText: 'Unauthorized' }),
  );
  vi.stubGlobal('fetch', fetched);
  const answer = await backend('/graphql', {
    method: 'POST',
    query: { a: '1' },
    json: { b: null },
    headers: { h: '2' },
  });
  expect(answer).toEqual({ status: 401, statusText: 'Unauthorized', text: '{"error":"Unauthorized."}' });
  expect(fetched).toHaveBeenCalledWith('/graphql?a=1', {
    method: 'POST',
    mode: 'cors',
    cache: 'no-store',
    headers: { 'content-type': 'application/json', h: '2' },
    body: '{"b":null}',
  });
});

test('an unreachable server differs from an aborted call', async () => {
  vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    throw new TypeError('Failed to fetch');
  });
  await expect(backend('/graphql')).rejects.toBeInstanceOf(HostUnreachable);
  await expect(backend('/graphql', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});
