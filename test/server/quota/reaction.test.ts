import { expect, test } from 'vitest';
import { readRateLimits } from '../../../src/server/quota/headers.ts';
import { reactionTo } from '../../../src/server/quota/reaction.ts';

const now = Date.parse('2026-11-23T12:34:56Z');
const end = Date.parse('2026-11-23T13:00:00Z');
const reaction = (status: number, headers: Record<string, string>) =>
  reactionTo(status, readRateLimits(new Headers(headers), now), now);

const GLOBAL = { 'RateLimit-Reason': 'jira-quota-global-based' };
const TENANT = { 'RateLimit-Reason': 'jira-quota-tenant-based' };
const BURST = { 'RateLimit-Reason': 'jira-burst-based' };
const ISSUE = { 'RateLimit-Reason': 'jira-per-issue-on-write' };
const THREADS = { 'RateLimit-Reason': 'jira-max-concurrent-threads-across-all-instances-per-tenant-per-user' };
const OTHER = { 'RateLimit-Reason': 'jira-cost-based' };

test.each<[string, number, Record<string, string>, [string, number] | undefined]>([
  ['the app quota', 429, { ...GLOBAL, 'X-RateLimit-Reset': '2026-11-23T12:50Z' }, ['pool', end - 600_000]],
  ['one without a reset', 429, GLOBAL, ['pool', end]],
  ['one whose reset is past', 429, { ...GLOBAL, 'X-RateLimit-Reset': '2026-11-23T12:00Z' }, ['pool', end]],
  ['one whose reset is after the hour', 429, { ...GLOBAL, 'Retry-After': '2788' }, ['pool', end]],
  ['one by its policy', 429, { ...GLOBAL, RateLimit: '"global-app-quota";r=0;t=60' }, ['pool', now + 60_000]],
  ['one by a preview of a policy', 429, { ...GLOBAL, 'Beta-RateLimit': '"global-app-quota";r=0;t=60' }, ['pool', end]],
  ['a site quota', 429, { ...TENANT, 'Retry-After': '30' }, ['tenant', now + 30_000]],
  ['a site quota on 503', 503, { ...TENANT, 'Retry-After': '30' }, ['tenant', now + 30_000]],
  [
    'a burst',
    429,
    { ...BURST, 'Retry-After': '2', 'X-RateLimit-Reset': '2026-11-23T12:40Z' },
    ['endpoint', now + 2_000],
  ],
  ['a burst without a time', 429, BURST, ['endpoint', now + 2_000]],
  ['writes to one issue', 429, { ...ISSUE, 'Retry-After': '5' }, ['issue', now + 5_000]],
  ['writes to one issue without a time', 429, ISSUE, ['issue', now + 2_000]],
  ['an unknown reason', 429, { ...OTHER, 'X-RateLimit-Reset': '2026-11-23T12:40:00Z' }, ['tenant', now + 304_000]],
  [
    'an unknown reason with both times',
    429,
    { ...OTHER, 'Retry-After': '20', 'X-RateLimit-Reset': '2026-11-23T12:40:00Z' },
    ['endpoint', now + 20_000],
  ],
  ['an unknown reason until after the hour', 429, { ...OTHER, 'Retry-After': '3000' }, ['endpoint', end]],
  ['too many threads at a site', 429, { ...THREADS, 'Retry-After': '5' }, ['tenant', now + 5_000]],
  [
    'too many threads without a pause',
    429,
    { ...THREADS, 'X-RateLimit-Reset': '2026-11-23T12:40:00Z' },
    ['tenant', now + 2_000],
  ],
  ['no reason', 429, { 'Retry-After': '7' }, ['tenant', now + 7_000]],
  ['neither reason, time nor figures', 429, {}, ['tenant', now + 60_000]],
  ['figures without reason and time', 429, { RateLimit: '"global-app-quota";r=0' }, ['pool', end]],
  [
    'a preview of figures without reason and time',
    429,
    { 'Beta-RateLimit': '"global-app-quota";r=0' },
    ['tenant', end],
  ],
  ['an unknown reason without a time', 429, OTHER, ['tenant', end]],
  ['a gateway by its clock', 429, { 'X-RateLimit-Reset': String(now / 1000 + 90) }, ['tenant', now + 90_000]],
  ['a site that is down for a while', 503, { 'Retry-After': '60' }, ['tenant', now + 60_000]],
  ['a site that is down', 503, {}, undefined],
  ['a failure', 500, { 'Retry-After': '60' }, undefined],
  ['an answer near the limit', 200, { RateLimit: '"global-app-quota";r=0;t=60' }, undefined],
])('%s', (_name, status, headers, expected) => {
  expect(reaction(status, headers)).toEqual(expected && { scope: expected[0], until: expected[1] });
});
