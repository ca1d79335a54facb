import { readFile } from 'node:fs/promises';
import { buildSchema, parse, validate } from 'graphql/index.js';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { schema } from '../../../src/server/http/graphql/schema.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { EDITOR, newIssue, update } from '../support/checklists.ts';
import { newSite, startForge } from '../support/forge.ts';
import { onStore } from '../support/stores.ts';
import { unreadableFields } from './answers.ts';
import { calls, idIn, type Known } from './calls.ts';

/**
 * Pages stay open, and on Forge they are published at another time than the server: the server answers the client of the
 * release before. `npm run keep:client` builds what is kept of a client.
 */
type Client = typeof import('./entry.ts');
const kept = './kept/client.js';
const client: Client = await import(/* @vite-ignore */ kept);
const itsSchema = buildSchema(await readFile(new URL('kept/schema.graphql', import.meta.url), 'utf8'));

test.each(client.operations.map(({ name, source }) => [name, source]))(
  'the schema has all that %s asks for',
  (name, source) => {
    expect(validate(schema, parse(source))).toEqual([]);
    expect(Object.keys(calls)).toContain(name);
  },
);

test.each(client.operations.map(({ name, source }) => [name, source]))(
  'the answer to %s has the types by which it was built',
  (_name, source) => expect(unreadableFields(schema, itsSchema, source)).toEqual([]),
);

test.each([
  ['String!', 'Mode', []],
  ['String', 'Mode!', []],
  ['[String!]!', 'Mode', ['Query.text: [String!]!']],
  ['Int', 'Mode', ['Query.text: Int']],
])('an answer of another type is found: %s, %s', (text, mode, found) => {
  const sdl = (textType: string, modeType: string, values: string) =>
    buildSchema(`type Query { text: ${textType} modes: [${modeType}] } enum Mode { ${values} }`);
  const older = sdl('String', 'Mode', 'ON OFF');
  expect(unreadableFields(sdl(text, mode, 'ON'), older, '{ text modes }')).toEqual(found);
  expect(unreadableFields(sdl('String', 'Mode', 'ON OFF AUTO'), older, '{ modes }')).toEqual(['Query.modes: [Mode]']);
  expect(unreadableFields(older, sdl('String!', 'Mode!', 'ON OFF'), '{ text modes }')).toHaveLength(2);
});

/** Operations that are meant to be refused here: no issue was converted, no server receives the webhook, the site's data stay. */
const refused = { setFollowing: 'NOT_FOUND', testWebhook: 'UNREADABLE', removeSiteData: 'UNCONFIRMED' };

const payload = v.object({ errors: v.array(v.object({ code: v.string() })) });

onStore(use => {
  let it: TestApp;
  let address = '';
  beforeAll(async () => {
    it = await startApp(use().store);
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
    it.tracker.projects.set('10000', {});
    address = await it.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => it.app.close());

  const real = globalThis.fetch;
  beforeEach(() => {
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => real(new URL(url, address), init));
    return () => vi.unstubAllGlobals();
  });

  /** A page of that client in a frame of Connect. */
  function openPage(account: string) {
    const ap = {
      context: { getToken: async () => it.contextToken(account), getContext: async () => ({}) },
      events: { on: () => undefined },
      dialog: { getCustomData: () => undefined },
    };
    const bridge = client.connectBridge(ap as never, '?surface=issue-content');
    const session = client.createSession(bridge);
    return { bridge, session, graphql: client.createGraphql(bridge, session) };
  }

  test('it signs in and reads the session', async () => {
    const { session } = openPage('admin');
    await session.token();
    expect(session.get()).toMatchObject({ status: 'ok', unauthorized: false });
    expect(session.get().payload?.settings).toBeDefined();
  });

  test('it gets answers that it can read, to all of its operations', async () => {
    const { id: issue, read } = await newIssue(it, [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS'], 'admin');
    const { graphql } = openPage('admin');
    const ids = new Map<string, string>();
    const found: Record<string, string> = {};
    for (const [name, variablesOf] of Object.entries(calls)) {
      const { epoch, seq, hash } = await read();
      const known: Known = { issue, id: operation => ids.get(operation) ?? 'none', position: { epoch, seq, hash } };
      for (const operation of client.operations.filter(each => each.name === name)) {
        // Rejects without data.
        const answer = await graphql.query(operation, variablesOf(known)).catch((error: unknown) => {
          found[name] = String(error);
        });
        ids.set(name, idIn(answer) ?? 'none');
        for (const value of Object.values(answer ?? {})) {
          if (v.is(payload, value) && value.errors[0]) found[name] = value.errors[0].code;
        }
      }
    }
    expect(found).toEqual(refused);
  });

  test('it receives the events of changes', async () => {
    const issue = await newIssue(it, EDITOR, 'reader');
    const events: unknown[] = [];
    const watched = { issues: [issue.id], editing: [], assigned: true };
    const stop = client.keepStream(
      openPage('reader'),
      watched,
      event => void events.push(event),
      () => undefined,
    );
    await expect.poll(() => events).toContainEqual({ kind: 'open' });
    await issue.edit(update('- a'));
    await expect.poll(() => events).toContainEqual(expect.objectContaining({ kind: 'checklist', issue: issue.id }));
    stop();
  });

  test('on Forge it signs in through the host, and learns the address of the server', async () => {
    const app = await startForge(use());
    const site = newSite();
    client.setHost(async ({ path }) => {
      expect(path).toBe('/api/forge/session');
      const { statusCode: status, body } = await app.signIn(site);
      return { status, body: JSON.parse(body) };
    });
    const host = client.forgeServer();
    const session = client.createSession({ signIn: host.signIn } as never);
    await session.token();
    expect(session.get()).toMatchObject({ status: 'ok' });
    expect((await host.signed()).url).toBe('https://addon.example');
    await app.it.app.close();
    app.forge.close();
  });
});
