import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HostUnreachable } from '../../src/bridge/bridge.ts';
import { createSession } from '../../src/client/session.ts';
import { productSettings } from '../../src/domain/token.ts';
import { fakeBridge, SIGN_IN, sessionToken, status } from './fake-bridge.ts';

const REFRESH = 3_480_000;

const newPage = () => Object.assign(new EventTarget(), { visibilityState: 'visible' });
let page = newPage();
let browser = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  page = newPage();
  browser = new EventTarget();
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', browser);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

/** A session whose server issues the tokens one, two, three … or answers as in `answers`. */
async function started(answers: (number | 'ok' | 'down')[] = []) {
  let count = 0;
  const bridge = fakeBridge({
    server: () => {
      count += 1;
      const answer = answers[count - 1] ?? 'ok';
      if (answer === 'down') throw new HostUnreachable("The server didn't answer.");
      if (answer !== 'ok') return { status: answer, statusText: 'No', text: '{"error":"No."}' };
      return { token: sessionToken(`token ${count}`) };
    },
  });
  const session = createSession(bridge);
  const before = session.get();
  const stop = session.start();
  await settle();
  const name = () => session.get().payload?.iss;
  return { bridge, session, before, stop, name, fetched: () => count };
}

test('a start goes from pending to ok, with the payload decoded', async () => {
  const { session, before, bridge } = await started();
  expect(before).toEqual({
    status: 'pending',
    retrying: false,
    token: undefined,
    payload: undefined,
    unauthorized: false,
    why: undefined,
  });
  expect(session.get()).toMatchObject({
    status: 'ok',
    token: expect.stringContaining('head.'),
    payload: { iss: 'token 1', sub: 'account' },
  });
  const { payload } = session.get();
  expect(payload && productSettings(payload.settings)).toEqual({
    gettingStartedTemplateId: null,
    hasChecklist: true,
    permissionSettings: { manageEnabled: false, viewEnabled: true },
    permissionKeys: undefined,
    isLicensed: true,
  });
  expect(bridge.calls.map(({ path }) => path)).toEqual([SIGN_IN]);
});

test('the token is fetched again every 58 minutes until it is stopped', async () => {
  const { name, stop, fetched } = await started();
  await vi.advanceTimersByTimeAsync(REFRESH - 1);
  expect(name()).toBe('token 1');
  await vi.advanceTimersByTimeAsync(1);
  expect(name()).toBe('token 2');
  await vi.advanceTimersByTimeAsync(REFRESH);
  expect(name()).toBe('token 3');
  stop();
  await vi.advanceTimersByTimeAsync(3 * REFRESH);
  expect(fetched()).toBe(3);
});

test('a start that fails says so, and retrying until the retry has its answer', async () => {
  const { session } = await started([500, 401, 'ok']);
  expect(session.get()).toMatchObject({ status: 'fail', retrying: false, payload: undefined });
  await expect(session.token()).rejects.toThrow('The server had an error.');
  session.retry();
  expect(session.get()).toMatchObject({ status: 'fail', retrying: true });
  await settle();
  expect(session.get()).toMatchObject({ status: 'ok', retrying: false, unauthorized: false });
});

test.each([
  ['no JSON', () => status(200, '<html>')],
  ['no token', () => ({})],
  ['a token without a payload', () => ({ token: 'abc' })],
  ['a token with a foreign payload', () => ({ token: `a.${Buffer.from('{"sub":1}').toString('base64url')}.c` })],
])('an answer with %s is a failure', async (_name, server) => {
  const session = createSession(fakeBridge({ server }));
  session.start();
  await settle();
  expect(session.get()).toMatchObject({ status: 'fail', token: undefined });
});

test('a host without sign-in is a failure', async () => {
  const session = createSession(fakeBridge({ server: () => Promise.reject(new HostUnreachable('No tracker.')) }));
  session.start();
  await settle();
  expect(session.get()).toMatchObject({ status: 'fail', unauthorized: false });
});

test('a later failure keeps token and payload, and the fetch is repeated soon', async () => {
  const { session, name } = await started(['ok', 500, 'down', 'ok']);
  const { token } = session.get();
  await vi.advanceTimersByTimeAsync(REFRESH);
  expect(session.get()).toMatchObject({ status: 'fail', token, payload: { iss: 'token 1' }, unauthorized: false });
  expect(await session.token()).toBe(token);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(name()).toBe('token 1');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(name()).toBe('token 4');
  expect(session.get().status).toBe('ok');
});

test('a page that is opened while the server is down says why, and comes back soon after the server', async () => {
  const { session, fetched } = await started([...Array(20).fill('down'), 'ok']);
  expect(session.get()).toMatchObject({ status: 'fail', unauthorized: false, why: "The server didn't answer." });
  // 1, 2, 4, 8, 16 seconds at most, then every half minute.
  await vi.advanceTimersByTimeAsync(31_000);
  expect(fetched()).toBeGreaterThanOrEqual(6);
  expect(fetched()).toBeLessThan(12);
  await vi.advanceTimersByTimeAsync(15 * 30_000);
  expect(session.get()).toMatchObject({ status: 'ok', why: undefined });
});

test.each([
  [503, "The server didn't answer."],
  [429, 'The server is busy.'],
  [500, 'The server had an error.'],
])('a first sign-in that is answered with %i is repeated, and says: %s', async (answer, why) => {
  const { session } = await started([answer, 'ok']);
  expect(session.get()).toMatchObject({ status: 'fail', unauthorized: false, why });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(session.get()).toMatchObject({ status: 'ok', why: undefined });
});

test('a first sign-in that is refused is not repeated until the user wants it', async () => {
  const { session, fetched } = await started([401, 'ok']);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(session.get()).toMatchObject({ status: 'fail', unauthorized: true, why: undefined });
  expect(fetched()).toBe(1);
});

test('unauthorized means refused or expired; not a network failure', async () => {
  const refused = await started(['ok', 401, 'ok']);
  await vi.advanceTimersByTimeAsync(REFRESH);
  expect(refused.session.get()).toMatchObject({ status: 'fail', unauthorized: true });
  refused.session.retry();
  await settle();
  expect(refused.session.get().unauthorized).toBe(false);

  const down = await started(['ok', ...Array(30).fill('down')]);
  await vi.advanceTimersByTimeAsync(REFRESH);
  expect(down.session.get()).toMatchObject({ status: 'fail', unauthorized: false });
  await vi.advanceTimersByTimeAsync(180_000);
  expect(down.session.get()).toMatchObject({ status: 'fail', unauthorized: true, payload: { iss: 'token 1' } });
});

test('waking after a long sleep fetches at once; a short absence does not', async () => {
  const { name } = await started();
  // Fired at the document; bubbles to the window.
  browser.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(name()).toBe('token 1');
  // Timers do not run while the computer sleeps; the clock does.
  vi.setSystemTime(Date.now() + REFRESH + 1);
  page.visibilityState = 'hidden';
  browser.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(name()).toBe('token 1');
  page.visibilityState = 'visible';
  browser.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(name()).toBe('token 2');
});

test('the network’s return ends a failure at once', async () => {
  const { session } = await started(['down', 'ok']);
  expect(session.get().status).toBe('fail');
  browser.dispatchEvent(new Event('online'));
  await settle();
  expect(session.get().status).toBe('ok');
});

test('callers refused at the same time share one new token', async () => {
  const { session, fetched } = await started();
  const old = await session.token();
  const renewed = await Promise.all([session.renew(old), session.renew(old), session.renew(old)]);
  expect(new Set(renewed).size).toBe(1);
  expect(renewed[0]).not.toBe(old);
  // A late caller, refused with the old token, gets the current one.
  expect(await session.renew(old)).toBe(renewed[0]);
  expect(fetched()).toBe(2);
});

test('listeners are called once per change and not after unsubscribing', async () => {
  const { session } = await started();
  const states: string[] = [];
  const off = session.subscribe(() => states.push(`${session.get().status} ${session.get().retrying}`));
  session.retry();
  await settle();
  off();
  session.retry();
  await settle();
  expect(states).toEqual(['ok true', 'ok false']);
});
