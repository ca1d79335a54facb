import { TrackerDeferred } from '../../../src/server/errors/tracker.ts';
import { createMetrics, type Metrics } from '../../../src/server/monitoring/metrics.ts';
import { createTracker, type Tracker, type TrackerCall } from '../../../src/server/platform/tracker/client.ts';
import { createQuota, type QuotaOptions, type SharedQuota } from '../../../src/server/quota/quota.ts';
import { type Cause, personalCause } from '../../../src/server/quota/work.ts';
import { createClock, HALF_PAST } from './quota.ts';
import { plainTenant } from './tenant.ts';

/** Start of the next hour. */
export const HOUR_END = HALF_PAST + 1_800_000;

export const readOf = (issue: string): TrackerCall => ({
  ...{ name: 'readIssue', method: 'GET' },
  path: `/rest/api/2/issue/${issue}`,
});
export const writeOf = (issue: string): TrackerCall => ({
  ...{ name: 'writeProperty', method: 'PUT' },
  path: `/rest/api/2/issue/${issue}/properties/checklist`,
  json: {},
});

/** A process that calls trackers, with its own clock. */
export interface Process {
  clock: ReturnType<typeof createClock>;
  quota: SharedQuota;
  metrics: Metrics;
  /** Calls made, by site and path. */
  made: string[];
  slept: number[];
  /** Runs in the next delays between tries. */
  meanwhile: (() => Promise<unknown>)[];
  /** Answers to the next calls; afterwards 200 with an empty object. */
  answers: (Response | 'down')[];
  tracker(tenant: string, cause?: Cause): Tracker;
  /** Milliseconds until a deferred call may run; `undefined` when it was made. */
  wait(tenant: string, cause?: Cause, call?: TrackerCall): Promise<number | undefined>;
  /** Makes a call whose answer has these headers. */
  callWith(tenant: string, headers: Record<string, string>, status?: number, call?: TrackerCall): Promise<unknown>;
}

export function startProcess(options: Partial<QuotaOptions> = {}): Process {
  const clock = createClock(HALF_PAST);
  const metrics = createMetrics();
  const store: QuotaOptions['store'] = { sweep: () => Promise.reject(new Error('Not shared.')) };
  const onError = (error: unknown) => {
    throw error;
  };
  const quota = createQuota({ store, metrics, onError, now: clock.now, ...options });
  const [made, slept, answers]: [string[], number[], Process['answers']] = [[], [], []];
  const meanwhile: Process['meanwhile'] = [];

  const tracker: Process['tracker'] = (tenant, cause = personalCause('alice')) =>
    createTracker(plainTenant({ id: tenant, url: `https://${tenant}.example.net`, secret: 'a secret' }), {
      ...{ quota, cause, now: clock.now, onCall: () => {} },
      async send(url) {
        made.push(`${tenant} ${url.pathname}`);
        const answer = answers.shift() ?? Response.json({});
        if (answer === 'down') throw new Error('No answer.');
        return answer;
      },
      async sleep(delay) {
        slept.push(delay);
        clock.elapse(delay);
        await meanwhile.shift()?.();
      },
    });

  return {
    ...{ clock, quota, metrics, made, slept, meanwhile, answers, tracker },
    async wait(tenant, cause, call = readOf('1')) {
      try {
        await tracker(tenant, cause)(call);
        return undefined;
      } catch (error) {
        if (error instanceof TrackerDeferred) return error.retryAfter;
        throw error;
      }
    },
    callWith(tenant, headers, status = 200, call = readOf('1')) {
      answers.push(new Response('{}', { status, headers }));
      return tracker(tenant)(call).catch((error: unknown) => error);
    },
  };
}

/** Headers of an answer at half past with the app's pool. */
export const poolHeaders = (size: number, remaining: number) => ({
  'RateLimit-Policy': `"global-app-quota";q=${size};w=3600`,
  RateLimit: `"global-app-quota";r=${remaining};t=1800`,
});

/** Value of a gauge, for one class of work where it has such labels. */
export async function gauge({ registry }: Metrics, name: string, work?: string): Promise<number | undefined> {
  const found = (await registry.getMetricsAsJSON()).find(metric => metric.name === name);
  const { values = [] } = found ?? {};
  return values.find(({ labels }) => work === undefined || labels.work === work)?.value;
}
