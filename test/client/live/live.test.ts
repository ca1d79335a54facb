import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HostBridge } from '../../../src/bridge/bridge.ts';
import type { LiveEvent } from '../../../src/client/live/events.ts';
import { createLive } from '../../../src/client/live/live.ts';
import { printWindow } from '../../../src/client/live/printing.ts';
import type { Watched } from '../../../src/client/live/stream.ts';
import { createSession } from '../../../src/client/session.ts';
import { MAX_LIVE_SUBJECTS } from '../../../src/domain/constants.ts';
import { fakeBridge, sessionToken } from '../fake-bridge.ts';

/** A stream that a browser has opened at the server. */
interface Opened {
  watched: Watched;
  send(...events: object[]): void;
  /** Ends it with this status. */
  end(status: number): void;
  closed: boolean;
}

/** The browser's locks, granted in order. */
function fakeLocks() {
  const queues = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, work: () => unknown) => {
      const before = queues.get(name) ?? Promise.resolve();
      const turn = before.then(() => {
        signal.throwIfAborted();
        return work();
      });
      queues.set(
        name,
        turn.catch(() => undefined),
      );
      return turn;
    },
  };
}

const newPage = () => Object.assign(new EventTarget(), { visibilityState: 'visible' });
let page = newPage();
let owner: string[];
let opened: Opened[];
const stops: (() => void)[] = [];

beforeEach(() => {
  page = newPage();
  opened = [];
  owner = ['tenant', crypto.randomUUID()];
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { locks: fakeLocks() });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
});

const open = () => opened.filter(({ closed }) => !closed);
const only = async () => {
  await expect.poll(() => open().length).toBe(1);
  const [stream] = open();
  if (!stream) throw new Error('No stream.');
  return stream;
};

/** What a stream is for, without the browser's time zone, which each names. */
function withoutZone(json: unknown): Watched {
  const { zone, ...watched } = json as Watched & { zone: string };
  expect(zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  return watched;
}

/** A frame with its received events. */
function frame() {
  const stream: HostBridge['stream'] = (_path, { json, signal }, listen) =>
    new Promise((resolve, reject) => {
      const one: Opened = {
        watched: withoutZone(json),
        send: (...events) => listen(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')),
        end: status => {
          one.closed = true;
          resolve(status);
        },
        closed: false,
      };
      signal?.addEventListener('abort', () => {
        one.closed = true;
        reject(new Error('aborted'));
      });
      opened.push(one);
    });
  const bridge = { ...fakeBridge({ server: () => ({ token: sessionToken('one') }) }), stream };
  const live = createLive({ bridge, session: createSession(bridge) }, owner);
  const events: LiveEvent[] = [];
  const watch = (issue: string, editing = false) => {
    const stop = live.watch({ issue, editing }, event => events.push(event));
    stops.push(stop);
    return stop;
  };
  return { live, events, watch };
}

test('a frame receives events of its issue, and knows whether it is connected', async () => {
  const { live, events, watch } = frame();
  watch('1');
  const stream = await only();
  expect(stream.watched).toEqual({ issues: ['1'], editing: [], assigned: false });
  expect(live.connected.get()).toBe(false);
  stream.send({ kind: 'open' }, { kind: 'checklist', issue: '1' }, { kind: 'checklist', issue: '2' });
  expect(live.connected.get()).toBe(true);
  expect(events).toEqual([{ kind: 'open' }, { kind: 'checklist', issue: '1' }]);
});

test('a frame that shows assigned items receives their events, whichever frame leads', async () => {
  const [one, two] = [frame(), frame()];
  one.watch('1');
  (await only()).send({ kind: 'open' });
  stops.push(two.live.watch({ assigned: true }, event => two.events.push(event)));
  await expect.poll(() => open()[0]?.watched).toEqual({ issues: ['1'], editing: [], assigned: true });
  (await only()).send({ kind: 'assigned' });
  await expect.poll(() => two.events.at(-1)).toEqual({ kind: 'assigned' });
});

test('frames share one stream, and each receives events of its own issue', async () => {
  const [one, two] = [frame(), frame()];
  one.watch('1');
  (await only()).send({ kind: 'open' });
  two.watch('2', true);
  await expect.poll(() => open()[0]?.watched).toEqual({ issues: ['1', '2'], editing: ['2'], assigned: false });
  const stream = await only();
  stream.send({ kind: 'open' }, { kind: 'checklist', issue: '2' });
  await expect.poll(() => two.events.at(-1)).toEqual({ kind: 'checklist', issue: '2' });
  expect(two.live.connected.get()).toBe(true);
  expect(one.events.filter(({ kind }) => kind === 'checklist')).toEqual([]);
});

test('of more issues than a stream takes those without an open editor are left out', async () => {
  const { watch } = frame();
  for (let id = 1_000; id < 1_150; id++) watch(String(id));
  watch('9999', true);
  await expect.poll(() => open()[0]?.watched.issues.length).toBe(MAX_LIVE_SUBJECTS);
  expect((await only()).watched).toMatchObject({ editing: ['9999'], issues: expect.arrayContaining(['9999', '1000']) });
});

test('when the frame with the stream closes, another one takes over for all others', async () => {
  const [one, two, three] = [frame(), frame(), frame()];
  const leave = one.watch('1');
  (await only()).send({ kind: 'open' });
  two.watch('2');
  three.watch('3');
  await expect.poll(() => open()[0]?.watched.issues).toEqual(['1', '2', '3']);
  leave();
  await expect.poll(() => open()[0]?.watched.issues).toEqual(['2', '3']);
  (await only()).send({ kind: 'open' }, { kind: 'checklist', issue: '3' });
  await expect.poll(() => three.events.at(-1)).toEqual({ kind: 'checklist', issue: '3' });
});

test('while all frames are hidden no stream is open', async () => {
  const { live, events, watch } = frame();
  watch('1');
  (await only()).send({ kind: 'open' });
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => open().length).toBe(0);
  expect(live.connected.get()).toBe(false);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  (await only()).send({ kind: 'open' });
  expect(events).toEqual([{ kind: 'open' }, { kind: 'open' }]);
});

test('a frame prints without an open stream, and has one again when the dialog closes', async () => {
  const { live, watch } = frame();
  watch('1');
  const before = await only();
  before.send({ kind: 'open' });
  const printed: boolean[] = [];
  Object.assign(window, { print: () => printed.push(before.closed) });
  await printWindow();
  expect(printed).toEqual([true]);
  expect(live.connected.get()).toBe(false);
  expect(open()).toEqual([]);
  window.dispatchEvent(new Event('afterprint'));
  (await only()).send({ kind: 'open' });
  expect(live.connected.get()).toBe(true);
});

test('a stream that ends is opened again, and is reported as disconnected meanwhile', async () => {
  const { live, watch } = frame();
  watch('1');
  const first = await only();
  first.send({ kind: 'open' });
  first.end(200);
  await expect.poll(() => live.connected.get()).toBe(false);
  await expect.poll(() => open().length).toBe(1);
  open()[0]?.send({ kind: 'open' });
  expect(live.connected.get()).toBe(true);
});

test('without locks and channels each frame holds its own', async () => {
  vi.stubGlobal('BroadcastChannel', undefined);
  const [one, two] = [frame(), frame()];
  one.watch('1');
  two.watch('2');
  await expect
    .poll(() =>
      open()
        .map(({ watched }) => watched.issues.join())
        .sort((a, b) => a.localeCompare(b)),
    )
    .toEqual(['1', '2']);
});

test('a host without streams is asked for none', async () => {
  const bridge = fakeBridge();
  const live = createLive({ bridge, session: createSession(bridge) }, owner);
  live.watch({ issue: '1' }, () => undefined)();
  expect(live.connected.get()).toBe(false);
  expect(bridge.calls).toEqual([]);
});
