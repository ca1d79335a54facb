import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { edition } from '../../../src/domain/edition.ts';
import { analyticsEvents } from '../../../src/domain/events.ts';
import { createForwarder } from '../../../src/server/http/analytics-forward.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { appKey, startApp, type TestApp } from '../support/app.ts';
import { onStore } from '../support/stores.ts';

/** An analytics service that records its requests. */
async function service(answer: (response: ServerResponse) => void = response => response.writeHead(200).end()) {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ ...JSON.parse(await text(request)), headers: request.headers });
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { requests, url: `http://127.0.0.1:${port}/events`, close };
}

onStore(use => {
  let it: TestApp;
  let token: string;
  let other: Awaited<ReturnType<typeof service>>;
  beforeAll(async () => {
    other = await service();
    it = await startApp(use().store, { ANALYTICS_URL: other.url });
    token = await it.session('alice');
    return async () => {
      await it.app.close();
      other.close();
    };
  });

  const send = (payload: unknown, headers: Record<string, string> = {}) =>
    it.app.inject({
      method: 'POST',
      url: '/api/analytics',
      headers: { ...appKey, authorization: `JWT ${token}`, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  const counted = async () => {
    const { body } = await it.app.inject({ url: '/metrics' });
    return body.split('\n').filter(line => line.startsWith('analytics_events_total{'));
  };

  test('each known event is counted and forwarded once, without site or account', async () => {
    for (const eventType of analyticsEvents) expect((await send({ eventType })).statusCode).toBe(204);
    expect(await counted()).toEqual(analyticsEvents.map(event => `analytics_events_total{event="${event}"} 1`));
    await expect.poll(() => other.requests).toHaveLength(analyticsEvents.length);
    const plain = { eventProperties: {}, appKey: edition.key, version: expect.stringMatching(/^v\d/) };
    expect(other.requests).toEqual(
      expect.arrayContaining(
        analyticsEvents.map(eventType => ({
          eventType,
          ...plain,
          headers: expect.not.objectContaining({ authorization: expect.anything() }),
        })),
      ),
    );
    const words = JSON.stringify(other.requests);
    for (const secret of ['alice', it.tenant.id, it.tenant.secret, 'site.example']) expect(words).not.toContain(secret);
  });

  test('operation and surface are forwarded', async () => {
    const before = other.requests.length;
    await send({ eventType: 'Checklist mutated', eventProperties: { operation: 'moveChecklistItem' } });
    await send({ eventType: 'App Loaded', eventProperties: { surface: 'issue-context' } });
    await expect.poll(() => other.requests.slice(before)).toHaveLength(2);
    expect(other.requests.slice(before)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ eventProperties: { operation: 'moveChecklistItem' } }),
        expect.objectContaining({ eventProperties: { surface: 'issue-context' } }),
      ]),
    );
  });

  const secret = 'A secret text';
  test.each([
    ['an unknown event', { eventType: 'Something' }, 400],
    ['no event', {}, 400],
    ['a text', { eventType: 'App Loaded', eventProperties: { text: secret } }, 400],
    ['a text as an operation', { eventType: 'Checklist mutated', eventProperties: { operation: secret } }, 400],
    ['an operation of another event', { eventType: 'App Loaded', eventProperties: { operation: 'getTemplates' } }, 400],
    ['a text as a surface', { eventType: 'App Loaded', eventProperties: { surface: secret } }, 400],
    ['no JSON', 'text', 400],
    ['a large body', { eventType: 'App Loaded', eventProperties: { text: secret.repeat(900) } }, 413],
  ])('%s is refused, and neither counted, forwarded nor logged', async (_name, payload, status) => {
    const before = [await counted(), other.requests.length];
    const response = await send(payload);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toHaveProperty('error');
    expect([await counted(), other.requests.length]).toEqual(before);
    expect(it.logged.join()).not.toContain(secret);
  });

  test('a missing or wrong token or app key is refused', async () => {
    const event = { eventType: 'App Loaded' };
    expect((await send(event, { authorization: '' })).statusCode).toBe(401);
    expect((await send(event, { 'app-key': 'other' })).statusCode).toBe(401);
    expect((await send(event, { authorization: `JWT ${it.contextToken()}` })).statusCode).toBe(401);
  });

  test('too many events of one token are refused', async () => {
    const headers = { authorization: `JWT ${await it.session('robot')}` };
    const answers = [];
    for (let count = 0; count < 601; count++)
      answers.push((await send({ eventType: 'App Loaded' }, headers)).statusCode);
    expect(answers.filter(status => status === 204)).toHaveLength(600);
    expect(answers.at(-1)).toBe(429);
  });

  test('events of a site with analytics off are neither counted nor forwarded', async () => {
    const eventType = 'Template mutated';
    const seen = async () => [await counted(), other.requests.filter(each => JSON.stringify(each).includes(eventType))];
    const before = await seen();
    await use().raw('update tenant set analytics = false where tenant = $1', [it.tenant.id]);
    expect((await send({ eventType })).statusCode).toBe(204);
    await use().raw('update tenant set analytics = true where tenant = $1', [it.tenant.id]);
    await send({ eventType: 'Templates list queried' });
    // Events are forwarded in order: earlier ones have arrived.
    await expect.poll(() => JSON.stringify(other.requests).match(/Templates list queried/g)).toHaveLength(2);
    const [counts, forwarded] = await seen();
    expect(counts).toContain(`analytics_events_total{event="${eventType}"} 1`);
    expect(forwarded).toEqual(before[1]);
  });

  test('no token is logged', () => {
    expect(it.logged.join()).not.toContain('eyJ');
  });
});

describe('forwarding', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  const event = { eventType: 'App Loaded', eventProperties: {} } as const;
  const forwarding = async (answer?: (response: ServerResponse) => void) => {
    const other = await service(answer);
    const metrics = createMetrics();
    const forwarder = createForwarder(other.url, metrics);
    closing.push(other.close, forwarder.close);
    const outcomes = async () =>
      Object.fromEntries((await metrics.passed.get()).values.map(({ labels, value }) => [labels.outcome, value]));
    return { other, forwarder, outcomes };
  };

  test('an error of the service is counted, without a retry', async () => {
    const { other, forwarder, outcomes } = await forwarding(response => response.writeHead(500).end());
    forwarder.forward(event);
    await expect.poll(outcomes).toEqual({ refused: 1 });
    expect(other.requests).toHaveLength(1);
  });

  test('an unreachable service is counted as failed', async () => {
    const { other, forwarder, outcomes } = await forwarding();
    other.close();
    forwarder.forward(event);
    await expect.poll(outcomes).toEqual({ failed: 1 });
  });

  test('a redirect is not followed', async () => {
    const next = await service();
    closing.push(next.close);
    const { forwarder, outcomes } = await forwarding(response => response.writeHead(307, { location: next.url }).end());
    forwarder.forward(event);
    await expect.poll(outcomes).toEqual({ failed: 1 });
    expect(next.requests).toEqual([]);
  });

  test('while the service hangs, further events are dropped, and closing ends pending requests', async () => {
    const { other, forwarder, outcomes } = await forwarding(() => undefined);
    for (let count = 0; count < 25; count++) forwarder.forward(event);
    await expect.poll(() => other.requests).toHaveLength(20);
    expect(await outcomes()).toEqual({ dropped: 5 });
    forwarder.close();
    await expect.poll(outcomes).toEqual({ dropped: 5, failed: 20 });
    forwarder.forward(event);
    await expect.poll(outcomes).toEqual({ dropped: 5, failed: 21 });
  });

  test('a request to a hanging service times out', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    try {
      const { forwarder, outcomes } = await forwarding(() => undefined);
      forwarder.forward(event);
      await expect.poll(outcomes).toEqual({ failed: 1 });
      expect(timeout).toHaveBeenCalledWith(5_000);
    } finally {
      timeout.mockRestore();
    }
  });
});
