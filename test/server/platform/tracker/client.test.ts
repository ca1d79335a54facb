import { describe, expect, test } from 'vitest';
import { TrackerUnavailable } from '../../../../src/server/errors/tracker.ts';
import { createTracker, retryDelay } from '../../../../src/server/platform/tracker/client.ts';
import { personalCause } from '../../../../src/server/quota/work.ts';
import { unlimited } from '../../support/quota.ts';
import { plainTenant } from '../../support/tenant.ts';
import { fakeTracker } from '../../support/tracker.ts';

const secret = 'a secret of a decent length';
const tenant = plainTenant({ id: 'client', url: 'https://site.example.net/jira', secret });
const call = { name: 'listFields', method: 'GET', path: '/rest/api/2/field', query: { b: 'x y', a: '1' } } as const;

/** A tracker that gives these answers in sequence. */
function scripted(answers: (Response | 'down')[]) {
  const slept: number[] = [];
  const seen: number[] = [];
  const tracker = createTracker(tenant, {
    ...{ quota: unlimited, cause: personalCause('alice') },
    onCall: (_name, status) => seen.push(status),
    send: async () => {
      const answer = answers.shift();
      if (!answer || answer === 'down') throw new TypeError('fetch failed');
      return answer;
    },
    sleep: async delay => void slept.push(delay),
    now: () => Date.parse('2026-11-20T12:00:00Z'),
  });
  return { tracker, slept, seen };
}

test("every call is signed for its path below the product's base path", async () => {
  const { fetch } = fakeTracker(tenant.id, secret);
  const asked: string[] = [];
  const tracker = createTracker(tenant, {
    ...{ quota: unlimited, cause: personalCause('alice') },
    onCall: () => {},
    send: (input, init) => {
      asked.push(String(input));
      // The signature does not cover the product's base path.
      return fetch(String(input).replace('/jira/', '/'), init);
    },
  });
  expect(await tracker(call)).toMatchObject({ status: 200 });
  expect(asked).toEqual(['https://site.example.net/jira/rest/api/2/field?b=x+y&a=1']);
});

test.each([
  ['http://127.0.0.1:4000', 'person'],
  ['https://site.example.net/jira', null],
])('the cause of a call is sent to a local tracker only: %s', async (url, cause) => {
  const causes: (string | null)[] = [];
  const tracker = createTracker(
    { ...tenant, url },
    {
      ...{ quota: unlimited, cause: personalCause('alice') },
      onCall: () => {},
      async send(_url, { headers }) {
        causes.push(new Headers(headers).get('x-cause'));
        return Response.json({});
      },
    },
  );
  await tracker(call);
  expect(causes).toEqual([cause]);
});

test('an answer without JSON has no body', async () => {
  const { tracker } = scripted([new Response('<html>', { status: 403 })]);
  expect(await tracker(call)).toEqual({ status: 403, body: undefined });
});

test('a page in place of an answer counts as none', async () => {
  const page = () => new Response('<html>Maintenance</html>', { status: 200 });
  const { tracker, seen } = scripted([page(), new Response(null, { status: 204 })]);
  expect(await tracker(call)).toEqual({ status: 204, body: undefined, isUnsettled: true });
  expect(seen).toEqual([0, 204]);
  await expect(scripted([page(), page(), page(), page(), page()]).tracker(call)).rejects.toThrow(TrackerUnavailable);
});

test('429 is retried after its Retry-After, 5xx and failures after a growing delay', async () => {
  const busy = new Response(null, { status: 429, headers: { 'retry-after': '1' } });
  const { tracker, slept, seen } = scripted([busy, new Response(null, { status: 503 }), 'down', Response.json({})]);
  expect(await tracker(call)).toEqual({ status: 200, body: {}, isUnsettled: true });
  expect(seen).toEqual([429, 503, 0, 200]);
  expect(slept[0]).toBe(1_000);
  expect(slept).toHaveLength(3);
});

test('a call refused as too many is retried safely', async () => {
  const busy = new Response(null, { status: 429, headers: { 'retry-after': '1' } });
  expect(await scripted([busy, Response.json({})]).tracker(call)).toEqual({ status: 200, body: {} });
});

test('fails after four tries, and at once after a long Retry-After', async () => {
  const failing = scripted(['down', 'down', 'down', 'down', Response.json({})]);
  await expect(failing.tracker(call)).rejects.toThrow(TrackerUnavailable);
  expect(failing.seen).toHaveLength(4);

  const busy = scripted([new Response(null, { status: 429, headers: { 'retry-after': '60' } })]);
  await expect(busy.tracker(call)).rejects.toThrow('listFields: 429');
  expect(busy.slept).toEqual([]);
});

test('an interrupted answer is retried; an interrupted write may have taken effect', async () => {
  const cut = () => {
    const body = new ReadableStream<Uint8Array>({
      start: control => control.enqueue(new TextEncoder().encode('{"fields":')),
      pull: control => control.error(new TypeError('terminated')),
    });
    return new Response(body, { status: 200 });
  };
  const { tracker, seen } = scripted([cut(), Response.json({ fields: {} })]);
  expect(await tracker(call)).toEqual({ status: 200, body: { fields: {} }, isUnsettled: true });
  expect(seen).toEqual([0, 200]);

  await expect(scripted([cut(), cut(), cut(), cut()]).tracker(call)).rejects.toThrow(TrackerUnavailable);
  await expect(scripted([cut(), Response.json({})]).tracker({ ...call, once: true })).rejects.toThrow(
    TrackerUnavailable,
  );
});

test('a refusal is returned without a retry', async () => {
  const { tracker, seen } = scripted([Response.json({ errorMessages: ['no'] }, { status: 404 })]);
  expect(await tracker(call)).toEqual({ status: 404, body: { errorMessages: ['no'] } });
  expect(seen).toEqual([404]);
});

describe('retry delays', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  test('last until the time that the tracker names', () => {
    expect(retryDelay(1, now + 3_000, now)).toBe(3_000);
  });

  test.each([
    ['no time', undefined],
    ['a time that is past', now - 1],
    ['this very moment', now],
  ])('grow where the tracker names %s', (_name, asked) => {
    for (const [tries, most] of [
      [1, 200],
      [2, 400],
      [3, 800],
      [9, 2_000],
    ] as const) {
      const delay = retryDelay(tries, asked, now);
      expect(delay).toBeGreaterThanOrEqual(most / 2);
      expect(delay).toBeLessThanOrEqual(most);
    }
  });
});
