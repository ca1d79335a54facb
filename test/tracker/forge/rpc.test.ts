import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { globalBridge } from '../../../src/tracker/forge/global-bridge.ts';
import { GREETING } from '../../../src/tracker/forge/greeting.ts';
import { rpc } from '../../../src/tracker/forge/rpc.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

type Local = Parameters<typeof rpc>[1];

/** Two sides that call each other. */
function connected(one: Local, other: Local = () => undefined) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  return { toOne: rpc(port2, other), toOther: rpc(port1, one) };
}

test('a call is answered later, never at once', async () => {
  const calls: unknown[] = [];
  const { toOne } = connected((...given) => {
    calls.push(given);
    return { a: 1 };
  });
  const answer = toOne('getContext', { b: [2] });
  expect(calls).toEqual([]);
  expect(await answer).toEqual({ a: 1 });
  expect(calls).toEqual([['getContext', { b: [2] }]]);
});

test('functions cross in both directions', async () => {
  const values: unknown[] = [];
  const { toOne } = connected(async (_, payload) => {
    const { callback } = payload as { callback(value: unknown): Promise<unknown> };
    values.push(await callback({ from: 'host' }));
    return { unsubscribe: () => 'gone' };
  });
  const answer = await toOne('on', {
    callback: (value: unknown) => {
      values.push(value);
      return 'taken';
    },
  });
  expect(values).toEqual([{ from: 'host' }, 'taken']);
  expect(await (answer as { unsubscribe(): Promise<unknown> }).unsubscribe()).toBe('gone');
});

test('undefined and symbols get lost as in JSON', async () => {
  const { toOne } = connected((_, payload) => payload);
  const given = { a: undefined, b: Symbol('b'), c: null, d: [1, undefined], e: { f: undefined } };
  const came = await toOne('emit', given);
  expect(Object.keys(came as object)).toEqual(['c', 'd', 'e']);
  expect(came).toEqual({ c: null, d: [1, null], e: {} });
  expect(await toOne('emit', undefined)).toBeUndefined();
});

test('of an error its message stays', async () => {
  const { toOne } = connected(command => {
    throw new TypeError(`No command ${String(command)}`);
  });
  await expect(toOne('submit')).rejects.toThrow(new Error('No command submit'));
});

test('the script at the head of a page offers the bridge, and its colours to the host', async () => {
  const dataset: Record<string, string> = {};
  const offered = vi.fn();
  const keydown: ((event: object) => void)[] = [];
  const frame: Record<string, unknown> = {
    ...{ MessageChannel, URLSearchParams, Map, Promise, Object, Error },
    location: { search: '?hostname=http%3A%2F%2Flocalhost%3A2990' },
    parent: { postMessage: offered },
    document: { documentElement: { dataset } },
    addEventListener: (_: string, listener: (event: object) => void) => keydown.push(listener),
  };
  runInNewContext(globalBridge, frame);
  const [greeting, origin, [port]] = offered.mock.calls[0] ?? [];
  ports.push(port);
  expect([greeting, origin]).toEqual([GREETING, 'http://localhost:2990']);
  const commands: unknown[] = [];
  rpc(port, async (command, payload) => {
    commands.push(command);
    // What stays in the frame, like the document's data, must not cross.
    if (typeof payload === 'function') expect(await payload({ colorMode: 'dark' })).toBeUndefined();
    return { theme: 'dark' };
  });
  const { callBridge } = frame.__bridge as { callBridge(command: string, payload?: unknown): Promise<unknown> };
  await callBridge('enableTheming');
  expect(dataset).toEqual({ colorMode: 'dark' });
  expect(await callBridge('getContext')).toEqual({ theme: 'dark' });
  keydown[0]?.({ key: 'a' });
  keydown[0]?.({ key: 'Escape', defaultPrevented: true });
  keydown[0]?.({ key: 'Escape' });
  await vi.waitFor(() => expect(commands).toEqual(['enableTheming', 'getContext', 'escape']));
});
