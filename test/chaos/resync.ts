import * as v from 'valibot';
import { createSession } from './addon.ts';
import type { Violation } from './model.ts';
import { type ChaosSite, pause, until } from './site.ts';

const started = v.object({ errors: v.array(v.object({ code: v.string() })) });
const listed = v.array(v.object({ state: v.string(), failed: v.number() }));

const checkStarted = v.object({ ...started.entries, job: v.nullable(v.object({ id: v.string() })) });
const checked = v.object({
  state: v.string(),
  seen: v.number(),
  log: v.array(v.object({ issue: v.nullable(v.string()), message: v.string() })),
});

/** Milliseconds from one start to the next. */
const PAUSE = 10_000;
const ENDED = ['DONE', 'FAILED', 'CANCELLED'];

/** An administrator who repeatedly synchronises the storages of the whole site. */
export interface Resync {
  work(isOver: () => boolean): Promise<void>;
  /** Starts one job; resolves when it has started. */
  synchronize(): Promise<void>;
  /** Compares all that is stored with fresh readings. Each difference is a violation, as is a check that does not end. */
  check(seconds: number): Promise<Violation[]>;
  /** The number of jobs; each must end within so many seconds from now. */
  ended(seconds: number): Promise<{ jobs: number; violations: Violation[] }>;
}

export function createResync(site: ChaosSite, account: string): Resync {
  const session = createSession(site, account);
  let turn = 0;
  const url = () => site.addons[turn++ % site.addons.length]?.url ?? '';

  async function jobs() {
    const data = await session.ask(url(), '{ jobs(scope: {}) { state failed } }');
    return typeof data === 'string' ? undefined : v.parse(listed, data.jobs);
  }

  async function synchronize(): Promise<boolean> {
    const document = 'mutation { synchronizeStorages(input: {}) { errors { code } } }';
    const data = await session.ask(url(), document);
    if (typeof data === 'string') return false;
    v.parse(started, data.synchronizeStorages);
    return true;
  }

  return {
    async synchronize() {
      while (!(await synchronize())) await pause(500);
    },
    async work(isOver) {
      for (let next = Date.now() + PAUSE / 4; !isOver(); await pause(100)) {
        if (Date.now() < next) continue;
        next = Date.now() + PAUSE;
        await synchronize();
      }
    },
    async check(seconds) {
      const document = 'mutation { checkStoredData(input: {}) { job { id } errors { code } } }';
      const begun = async () => {
        const data = await session.ask(url(), document);
        return typeof data === 'string' ? undefined : v.parse(checkStarted, data.checkStoredData).job?.id;
      };
      let id = await begun();
      for (; id === undefined; id = await begun()) await pause(500);
      let job: v.InferOutput<typeof checked> | undefined;
      const isEnded = async () => {
        const data = await session.ask(url(), `{ job(id: "${id}") { state seen log { issue message } } }`);
        job = typeof data === 'string' ? job : v.parse(checked, data.job);
        return job !== undefined && ENDED.includes(job.state);
      };
      const isInTime = await until(isEnded, seconds * 1000, 'The check goes on.').then(
        () => true,
        () => false,
      );
      const violation = (issue: string | null, detail: string): Violation => ({
        what: 'stored data differ from a fresh reading',
        issue: issue ?? 'all',
        detail,
      });
      return [
        ...(isInTime && job?.state === 'DONE' && job.seen > 0 ? [] : [violation(null, JSON.stringify(job))]),
        ...(job?.log ?? []).map(({ issue, message }) => violation(issue, message)),
      ];
    },
    async ended(seconds) {
      let found: v.InferOutput<typeof listed> = [];
      const isEnded = async () => {
        found = (await jobs()) ?? found;
        return found.every(({ state }) => ENDED.includes(state));
      };
      const violation = (detail: string): Violation => ({
        what: 'a job did not come to its end',
        issue: 'all',
        detail,
      });
      const violations: Violation[] = [];
      await until(isEnded, seconds * 1000, 'A job goes on.').catch(({ message }) =>
        violations.push(violation(message)),
      );
      const bad = found.filter(({ state }) => state === 'FAILED' || state === 'CANCELLED');
      violations.push(...bad.map(({ state }) => violation(`it is ${state}`)));
      return { jobs: found.length, violations };
    },
  };
}
