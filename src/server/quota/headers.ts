/** Names of policies in `RateLimit-Policy` and `RateLimit`. */
const policies = {
  'global-app-quota': 'app',
  'tenant-app-quota': 'tenant',
  'jira-burst-based': 'burst',
} as const satisfies Record<string, string>;
export type Policy = (typeof policies)[keyof typeof policies];

/** Documented values of `RateLimit-Reason`. */
export const reasons = [
  'jira-quota-global-based',
  'jira-quota-tenant-based',
  'jira-burst-based',
  'jira-per-issue-on-write',
  'jira-max-concurrent-threads-across-all-instances-per-tenant-per-user',
] as const;
type Reason = (typeof reasons)[number];

/** A response's report of one policy. */
export interface PolicyReport {
  policy: Policy;
  /** `false` if the headers are marked as a preview (`Beta-`). */
  enforced: boolean;
  /** Points of an hour (`q`), and how many of them are left (`r`). */
  size?: number;
  remaining?: number;
  /** When it resets (`t`), in milliseconds since the epoch. */
  reset?: number;
}

/** The tracker's limits by a response's headers. Times are in milliseconds since the epoch. */
export interface RateLimits {
  reports: readonly PolicyReport[];
  /** `RateLimit-Reason`; `unknown` for an undocumented one. */
  reason: Reason | 'unknown' | undefined;
  /** `X-RateLimit-Reset`. */
  reset: number | undefined;
  /** `Retry-After`. */
  retryAt: number | undefined;
}

/** Longer headers are not read. */
const MAX_HEADER_CHARS = 2_000;
/** A tenth of the smallest documented quota, and twenty times the largest (docs/decisions/quota.md). */
const MIN_QUOTA_POINTS = 6_500;
const MAX_QUOTA_POINTS = 10_000_000;
const HOUR_MS = 3_600_000;

type Parameters = Readonly<Record<string, string>>;

/** Parses a comma-separated list of items with parameters, such as `"name";q=1;w=3600`; skips malformed items. */
function itemsOf(text: string): { name: string; parameters: Parameters }[] {
  return text.split(',').flatMap(item => {
    const [head = '', ...rest] = item.split(';').map(part => part.trim());
    const [, quoted, token] = /^(?:"([\w.-]{1,100})"|([\w.-]{1,100}))$/.exec(head) ?? [];
    const name = quoted ?? token;
    const pairs = rest.map(part => /^([a-z]{1,20})=([\w."-]{1,40})$/.exec(part));
    if (name === undefined || pairs.includes(null)) return [];
    return [{ name, parameters: Object.fromEntries(pairs.map(pair => [pair?.[1] ?? '', pair?.[2] ?? ''])) }];
  });
}

/** Parses a whole number within bounds. */
function number(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

const isPolicy = (name: string): name is keyof typeof policies => Object.hasOwn(policies, name);

/** Finds a policy by its name, which may have the preview's prefix. */
function policyOf(name: string): { policy: Policy; preview: boolean } | undefined {
  const plain = name.toLowerCase().replace(/^beta-/, '');
  return isPolicy(plain) ? { policy: policies[plain], preview: plain !== name.toLowerCase() } : undefined;
}

/** A policy's size. A quota must be of an hour, and not so small that a wrong header would stop the app. */
function sizeOf(policy: Policy, { q, w }: Parameters): number | undefined {
  if (policy === 'burst') return number(q, 1, MAX_QUOTA_POINTS);
  return w === String(HOUR_MS / 1000) ? number(q, MIN_QUOTA_POINTS, MAX_QUOTA_POINTS) : undefined;
}

function reportsOf(sizes: string, states: string, enforced: boolean, now: number): PolicyReport[] {
  const reports = new Map<string, PolicyReport>();
  /** Policies whose size is implausible: their remaining points are ignored, too. */
  const implausible = new Set<string>();
  const knownItems = (text: string) =>
    itemsOf(text).flatMap(({ name, parameters }) => {
      const namedPolicy = policyOf(name);
      return namedPolicy ? [{ ...namedPolicy, parameters, key: `${namedPolicy.policy} ${namedPolicy.preview}` }] : [];
    });
  const add = ({ policy, preview, key }: ReturnType<typeof knownItems>[number], reported: Partial<PolicyReport>) => {
    const before = reports.get(key) ?? { policy, enforced: enforced && !preview };
    reports.set(key, { ...before, ...reported });
  };
  for (const item of knownItems(sizes)) {
    const size = sizeOf(item.policy, item.parameters);
    if (size === undefined) implausible.add(item.key);
    else add(item, { size });
  }
  for (const item of knownItems(states)) {
    const remaining = implausible.has(item.key) ? undefined : number(item.parameters.r, 0, MAX_QUOTA_POINTS);
    const seconds = number(item.parameters.t, 1, HOUR_MS / 1000);
    add(item, {
      ...(remaining !== undefined && { remaining }),
      ...(seconds !== undefined && { reset: now + seconds * 1000 }),
    });
  }
  return [...reports.values()].map(({ remaining, ...report }) => {
    const fits = remaining !== undefined && (report.size === undefined || remaining <= report.size);
    return fits ? { ...report, remaining } : report;
  });
}

/** Limits a time to an hour from now; `undefined` for a past or invalid one. */
const withinHour = (time: number, now: number): number | undefined =>
  time >= now ? Math.min(time, now + HOUR_MS) : undefined;

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses `X-RateLimit-Reset`: a time, or seconds since the epoch from a gateway. */
function resetOf(text: string, now: number): number | undefined {
  if (/^\d{10}$/.test(text)) return withinHour(Number(text) * 1000, now);
  return isoTime.test(text) ? withinHour(Date.parse(text), now) : undefined;
}

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Parses `Retry-After`: seconds or a date. */
function retryOf(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return withinHour(now + Number(text) * 1000, now);
  return httpDate.test(text) ? withinHour(Date.parse(text), now) : undefined;
}

function reasonOf(text: string): RateLimits['reason'] {
  if (text === '') return undefined;
  return reasons.find(reason => reason === text.toLowerCase()) ?? 'unknown';
}

/**
 * Parses the headers of a response (docs/decisions/quota.md). Malformed and implausible values count as absent.
 */
export function readRateLimits(headers: Pick<Headers, 'get'>, now: number): RateLimits {
  const text = (name: string) => {
    const value = headers.get(name)?.trim() ?? '';
    return value.length > MAX_HEADER_CHARS ? '' : value;
  };
  return {
    reports: [
      ...reportsOf(text('ratelimit-policy'), text('ratelimit'), true, now),
      ...reportsOf(text('beta-ratelimit-policy'), text('beta-ratelimit'), false, now),
    ],
    reason: reasonOf(text('ratelimit-reason')),
    reset: resetOf(text('x-ratelimit-reset'), now),
    retryAt: retryOf(text('retry-after'), now),
  };
}
