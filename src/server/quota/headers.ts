/** Names of policies in `RateLimit-Policy` and `RateLimit`. */
const policies = {
  'global-app-quota': 'app',
  'tenant-app-quota': 'tenant',
  'jira-burst-based': 'burst',
} as const satisfies Record<string, string>;
export type Policy = (typeof policies)[keyof typeof policies];

const reasons = [
  'jira-quota-global-based',
  'jira-quota-tenant-based',
  'jira-burst-based',
  'jira-per-issue-on-write',
  'jira-max-concurrent-threads-across-all-instances-per-tenant-per-user',
] as const;
type Reason = (typeof reasons)[number];

/** What an answer says of one policy. */
export interface PolicyReport {
  policy: Policy;
  /** `false` where the headers are marked as a preview (`Beta-`). */
  enforced: boolean;
  /** Points of an hour (`q`), and how many of them are left (`r`). */
  size?: number;
  remaining?: number;
  /** When it begins anew (`t`), in milliseconds since the epoch. */
  reset?: number;
}

/** What an answer's headers say of the tracker's limits. Times are in milliseconds since the epoch. */
export interface RateLimits {
  reports: readonly PolicyReport[];
  /** `RateLimit-Reason`; `unknown` where it is none of those that are documented. */
  reason: Reason | 'unknown' | undefined;
  /** `X-RateLimit-Reset`. */
  reset: number | undefined;
  /** `Retry-After`. */
  retryAt: number | undefined;
}

/** Longer headers are not read. */
const MOST_TEXT = 2_000;
/** A tenth of the smallest quota that is documented, and twenty times the largest (notes/quota.md §1). */
const LEAST_SIZE = 6_500;
const MOST_SIZE = 10_000_000;
const HOUR = 3_600_000;

type Parameters = Readonly<Record<string, string>>;

/** Items of a list by commas and their parameters, such as `"name";q=1;w=3600`; those of another form are left out. */
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

/** A whole number within bounds. */
function number(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

const isPolicy = (name: string): name is keyof typeof policies => Object.hasOwn(policies, name);

/** A policy by its name, which may bear the preview's prefix itself. */
function policyOf(name: string): { policy: Policy; preview: boolean } | undefined {
  const plain = name.toLowerCase().replace(/^beta-/, '');
  return isPolicy(plain) ? { policy: policies[plain], preview: plain !== name.toLowerCase() } : undefined;
}

/** A policy's size: a quota's is of an hour, and not so small that one mistake would stop the app. */
function sizeOf(policy: Policy, { q, w }: Parameters): number | undefined {
  if (policy === 'burst') return number(q, 1, MOST_SIZE);
  return w === String(HOUR / 1000) ? number(q, LEAST_SIZE, MOST_SIZE) : undefined;
}

function reportsOf(sizes: string, states: string, enforced: boolean, now: number): PolicyReport[] {
  const reports = new Map<string, PolicyReport>();
  /** Policies whose size is not believed: nor is what is left of it. */
  const odd = new Set<string>();
  const known = (text: string) =>
    itemsOf(text).flatMap(({ name, parameters }) => {
      const found = policyOf(name);
      return found ? [{ ...found, parameters, key: `${found.policy} ${found.preview}` }] : [];
    });
  const add = ({ policy, preview, key }: ReturnType<typeof known>[number], found: Partial<PolicyReport>) => {
    const before = reports.get(key) ?? { policy, enforced: enforced && !preview };
    reports.set(key, { ...before, ...found });
  };
  for (const item of known(sizes)) {
    const size = sizeOf(item.policy, item.parameters);
    if (size === undefined) odd.add(item.key);
    else add(item, { size });
  }
  for (const item of known(states)) {
    const remaining = odd.has(item.key) ? undefined : number(item.parameters.r, 0, MOST_SIZE);
    const seconds = number(item.parameters.t, 1, HOUR / 1000);
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

/** A moment within the next hour, or an hour from now where it is later; `undefined` where it is past or none. */
const soon = (time: number, now: number): number | undefined => (time >= now ? Math.min(time, now + HOUR) : undefined);

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** `X-RateLimit-Reset` as a time, or by a gateway in seconds since the epoch. */
function resetOf(text: string, now: number): number | undefined {
  if (/^\d{10}$/.test(text)) return soon(Number(text) * 1000, now);
  return isoTime.test(text) ? soon(Date.parse(text), now) : undefined;
}

const httpDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** `Retry-After` in seconds or as a date. */
function retryOf(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return soon(now + Number(text) * 1000, now);
  return httpDate.test(text) ? soon(Date.parse(text), now) : undefined;
}

function reasonOf(text: string): RateLimits['reason'] {
  if (text === '') return undefined;
  return reasons.find(reason => reason === text.toLowerCase()) ?? 'unknown';
}

/**
 * Reads the headers of an answer (notes/quota.md §3), whatever stands in them: what is not understood, or cannot be
 * true, counts as absent.
 */
export function readRateLimits(headers: Pick<Headers, 'get'>, now: number): RateLimits {
  const text = (name: string) => {
    const value = headers.get(name)?.trim() ?? '';
    return value.length > MOST_TEXT ? '' : value;
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
