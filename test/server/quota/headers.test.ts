import { describe, expect, test } from 'vitest';
import { readRateLimits } from '../../../src/server/quota/headers.ts';

const now = Date.parse('2026-11-23T12:34:56Z');
const at = (text: string) => Date.parse(text);
const read = (headers: Record<string, string>) => readRateLimits(new Headers(headers), now);
const nothing = { reports: [], reason: undefined, reset: undefined, retryAt: undefined };

const app = (report: object = {}) => ({ policy: 'app', enforced: true, ...report });
const tenant = (report: object = {}) => ({ policy: 'tenant', enforced: true, ...report });
const burst = (report: object = {}) => ({ policy: 'burst', enforced: true, ...report });
const preview = { enforced: false };

describe('policies', () => {
  test.each<[string, Record<string, string>, object[]]>([
    ['one', { 'RateLimit-Policy': '"global-app-quota";q=65000;w=3600' }, [app({ size: 65_000 })]],
    [
      'with what is left',
      { 'RateLimit-Policy': '"global-app-quota";q=65000;w=3600', RateLimit: '"global-app-quota";r=11000;t=600' },
      [app({ size: 65_000, remaining: 11_000, reset: now + 600_000 })],
    ],
    [
      'several in any order',
      {
        'RateLimit-Policy': '"jira-burst-based";q=100;w=1, "tenant-app-quota";w=3600;q=100100',
        RateLimit: '"tenant-app-quota";t=2107;r=17842,"jira-burst-based";r=99;t=1',
      },
      [
        burst({ size: 100, remaining: 99, reset: now + 1_000 }),
        tenant({ size: 100_100, remaining: 17_842, reset: now + 2_107_000 }),
      ],
    ],
    [
      'as a preview',
      {
        'Beta-Ratelimit-Policy': '"tenant-app-quota";q=100100;w=3600',
        'Beta-Ratelimit': '"tenant-app-quota";r=0;t=2788',
      },
      [tenant({ ...preview, size: 100_100, remaining: 0, reset: now + 2_788_000 })],
    ],
    [
      'both kinds in one answer',
      {
        'RateLimit-Policy': '"jira-burst-based";q=350;w=1',
        'Beta-RateLimit-Policy': '"global-app-quota";q=65000;w=3600',
      },
      [burst({ size: 350 }), app({ ...preview, size: 65_000 })],
    ],
    [
      'both kinds of one policy',
      {
        'RateLimit-Policy': '"global-app-quota";q=65000;w=3600',
        'Beta-RateLimit-Policy': '"global-app-quota";q=130000;w=3600',
      },
      [app({ size: 65_000 }), app({ ...preview, size: 130_000 })],
    ],
    [
      'with the prefix at the name',
      { 'RateLimit-Policy': '"Beta-global-app-quota";q=7000;w=3600' },
      [app({ ...preview, size: 7_000 })],
    ],
    ['without quotation marks', { 'RateLimit-Policy': 'global-app-quota;q=65000;w=3600' }, [app({ size: 65_000 })]],
    ['with blanks', { 'RateLimit-Policy': '  "global-app-quota" ; q=65000 ; w=3600 ' }, [app({ size: 65_000 })]],
    [
      'with other parameters',
      { 'RateLimit-Policy': '"global-app-quota";pk="a";q=6500;w=3600' },
      [app({ size: 6_500 })],
    ],
    [
      'left without a policy',
      { RateLimit: '"tenant-app-quota";r=0;t=30' },
      [tenant({ remaining: 0, reset: now + 30_000 })],
    ],
  ])('%s', (_name, headers, reports) => {
    expect(read(headers)).toEqual({ ...nothing, reports });
  });

  test.each<[string, Record<string, string>, object[]]>([
    ['another policy', { 'RateLimit-Policy': '"another-policy";q=1' }, []],
    ['names of object properties', { 'RateLimit-Policy': '"constructor";q=1, "__proto__";q=2' }, []],
    ['negative', { 'RateLimit-Policy': '"global-app-quota";q=-5', RateLimit: '"global-app-quota";r=-1;t=-1' }, [app()]],
    ['nothing granted', { 'RateLimit-Policy': '"global-app-quota";q=0;w=3600' }, []],
    ['absurdly many', { 'RateLimit-Policy': '"global-app-quota";q=99999999999;w=3600' }, []],
    [
      'more remaining than the size',
      { 'RateLimit-Policy': '"global-app-quota";q=7000;w=3600', RateLimit: '"global-app-quota";r=7001' },
      [app({ size: 7_000 })],
    ],
    [
      'a tiny quota, and what is left of it',
      { 'RateLimit-Policy': '"global-app-quota";q=6499;w=3600', RateLimit: '"global-app-quota";r=0;t=60' },
      [app({ reset: now + 60_000 })],
    ],
    ['a quota of another window', { 'RateLimit-Policy': '"tenant-app-quota";q=65000;w=1' }, []],
    ['a quota of no window', { 'RateLimit-Policy': '"tenant-app-quota";q=65000' }, []],
    ['a reset beyond the hour', { RateLimit: '"global-app-quota";r=1;t=90000' }, [app({ remaining: 1 })]],
    [
      'other number formats',
      { 'RateLimit-Policy': '"global-app-quota";q=1e4;w=3600, "tenant-app-quota";q=0xffff;w=3600' },
      [],
    ],
    ['fractions', { RateLimit: '"global-app-quota";r=1.5;t=2.5' }, [app()]],
    ['text', { 'RateLimit-Policy': 'soon', RateLimit: ';;;,,,===' }, []],
    [
      'a broken item among good ones',
      { 'RateLimit-Policy': '"a"b";q=1, "global-app-quota";q=7000;w=3600, q' },
      [app({ size: 7_000 })],
    ],
    ['no end', { 'RateLimit-Policy': '"global-app-quota";q=7000;w=3600,'.repeat(1_000) }, []],
    ['empty', { 'RateLimit-Policy': '', RateLimit: ' ' }, []],
  ])('ignore %s', (_name, headers, reports) => {
    expect(read(headers).reports).toEqual(reports);
  });
});

test.each([
  ['jira-quota-global-based', 'jira-quota-global-based'],
  ['JIRA-BURST-BASED', 'jira-burst-based'],
  ['jira-cost-based', 'unknown'],
  ['', undefined],
])('the reason %j is read as %s', (text, reason) => {
  expect(read({ 'RateLimit-Reason': text }).reason).toBe(reason);
});

test('the reason of a preview is ignored', () => {
  expect(
    read({ 'X-Beta-RateLimit-Reason': 'jira-quota-tenant-based', 'X-Beta-RateLimit-Reset': '2026-11-23T13:00Z' }),
  ).toEqual(nothing);
});

test.each<[string, number | undefined]>([
  ['2026-11-23T13:00Z', at('2026-11-23T13:00:00Z')],
  ['2026-11-23T13:00:30Z', at('2026-11-23T13:00:30Z')],
  ['2026-11-23T14:00:30.123+01:00', at('2026-11-23T13:00:30.123Z')],
  // Later than any limit lasts.
  ['2099-01-01T00:00Z', now + 3_600_000],
  ['2026-11-23T12:00Z', undefined],
  // A gateway sends seconds since the epoch.
  [String(at('2026-11-23T13:00:00Z') / 1000), at('2026-11-23T13:00:00Z')],
  ['1763900000', undefined],
  ['1800', undefined],
  ['2026-99-99T99:99Z', undefined],
  ['tomorrow', undefined],
])('X-RateLimit-Reset %s', (text, reset) => {
  expect(read({ 'X-RateLimit-Reset': text }).reset).toBe(reset);
});

test.each<[string, number | undefined]>([
  ['3', now + 3_000],
  ['0', now],
  ['Mon, 23 Nov 2026 12:35:01 GMT', now + 5_000],
  ['9'.repeat(400), now + 3_600_000],
  ['Mon, 23 Nov 2099 12:35:01 GMT', now + 3_600_000],
  ['Mon, 23 Nov 2026 11:00:00 GMT', undefined],
  ['-3', undefined],
  ['1.5', undefined],
  ['soon', undefined],
])('Retry-After %s', (text, retryAt) => {
  expect(read({ 'Retry-After': text }).retryAt).toBe(retryAt);
});

test('any text is read without an error', () => {
  const odd = [
    '"',
    '\\',
    ';',
    ',',
    '=',
    '"global-app-quota"',
    'q',
    'r=',
    't=1',
    '\t',
    '-1',
    '?1',
    ':YQ==:',
    '()',
    '9'.repeat(30),
  ];
  for (const one of odd)
    for (const other of odd)
      for (const name of ['RateLimit-Policy', 'RateLimit', 'RateLimit-Reason', 'X-RateLimit-Reset', 'Retry-After'])
        expect(() => read({ [name]: `${one}${other}` })).not.toThrow();
});
