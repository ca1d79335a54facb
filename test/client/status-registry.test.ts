import { expect, test } from 'vitest';
import { createGraphql } from '../../src/client/graphql.ts';
import { createSession } from '../../src/client/session.ts';
import { createRegistries, createStatuses } from '../../src/client/status-registry.ts';
import { encodeRegistry } from '../../src/domain/registry.ts';
import type { RegistryStatus } from '../../src/domain/statuses.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { fakeBridge, SIGN_IN, sessionToken, status } from './fake-bridge.ts';

const hold = (name: string): RegistryStatus => ({
  ...{ slug: 'hold', name, checked: false, color: 'red', former: [], going: false },
});

/** A tracker with this property on its project, and a server with these statuses. */
function place(property: unknown, server: RegistryStatus[] | undefined, readable = true) {
  const held = { property };
  const bridge = fakeBridge({
    tracker: () => {
      const properties = { [storageKey('statuses')]: held.property };
      return readable ? { id: '7', key: 'P', name: 'Project', properties } : status(404);
    },
    server: path => {
      if (path === SIGN_IN) return { token: sessionToken('1') };
      return server ? { data: { statuses: server } } : status(503);
    },
  });
  const asked = () =>
    bridge.calls.flatMap(({ path, init: { json } }) =>
      path === '/graphql' && typeof json === 'object' && json !== null && 'variables' in json ? [json.variables] : [],
    );
  const graphql = createGraphql(bridge, createSession(bridge));
  return { held, asked, statuses: createStatuses(bridge, graphql, { projectId: '7', issueId: '1' }) };
}

test('the tracker’s statuses are used without our server', async () => {
  const { statuses, asked, held } = place(encodeRegistry([hold('On hold')]), []);
  expect(statuses.get()).toBeUndefined();
  await statuses.refresh();
  const first = statuses.get();
  expect(first?.byName('on hold')?.slug).toBe('hold');
  await statuses.refresh();
  expect(statuses.get()).toBe(first);
  held.property = encodeRegistry([hold('Waiting')]);
  await statuses.refresh();
  expect(statuses.get()?.bySlug('hold')?.name).toBe('Waiting');
  expect(asked()).toEqual([]);
});

test.each([
  ['holds nothing', undefined, true],
  ['holds what is not ours', { v: 9 }, true],
  ['is not to be read', encodeRegistry([hold('Hidden')]), false],
])('where the project %s our server is asked', async (_what, property, readable) => {
  const { statuses, asked } = place(property, [hold('On hold')], readable);
  await statuses.refresh();
  expect(statuses.get()?.bySlug('hold')?.name).toBe('On hold');
  expect(asked()).toEqual([{ issueId: '1' }]);
});

test('after an event of our server they are read from it: the tracker’s copy may be stale', async () => {
  const { statuses, asked } = place(encodeRegistry([hold('On hold')]), []);
  await statuses.refresh();
  await statuses.refresh(true);
  expect(statuses.get()?.bySlug('hold')).toBeUndefined();
  expect(asked()).toEqual([{ issueId: '1' }]);
});

test('a failed reading keeps the previous statuses', async () => {
  const { statuses, held } = place(encodeRegistry([hold('On hold')]), undefined);
  await statuses.refresh();
  held.property = undefined;
  await statuses.refresh();
  expect(statuses.get()?.bySlug('hold')?.name).toBe('On hold');
});

test.each([
  { what: 'the tracker fails', tracker: 500, server: 200 },
  { what: 'our server fails for a project without statuses', tracker: 404, server: 503 },
])('statuses of many issues are not made up when $what', async ({ tracker, server }) => {
  const bridge = fakeBridge({
    tracker: () => status(tracker),
    server: path => {
      if (path === SIGN_IN) return { token: sessionToken('1') };
      return server === 200 ? { data: { statuses: [hold('On hold')] } } : status(server);
    },
  });
  const registries = createRegistries(bridge, createGraphql(bridge, createSession(bridge)));
  await expect(registries('7')).rejects.toMatchObject({ status: tracker === 500 ? tracker : server });
});
