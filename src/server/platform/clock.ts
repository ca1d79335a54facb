import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import { sleep as pause } from '../../domain/timing.ts';
import type { Metrics } from '../monitoring/metrics.ts';

/** Two clocks may differ by this much. The tracker's tokens are valid for minutes, and some for less than a minute. */
export const LEEWAY_SECONDS = 30;

/** The clocks that this machine's is compared with. */
export type ClockSource = 'database' | 'tracker';

/** Compares this machine's clock with others. */
export interface Clocks {
  /** Takes a time of another clock, in milliseconds since the epoch, that was read just now. */
  saw(source: ClockSource, time: number): void;
}

/** Two clocks differ only if all of their latest samples differ, so that one wrong answer has no effect. */
const SAMPLES_PER_CLOCK = 3;

const isOff = (seconds: number) => Math.abs(seconds) > LEEWAY_SECONDS;

/** Says in the log, once, that two clocks differ, and once that they agree again; `clock_offset_seconds` has by how much. */
export function createClocks(
  { registry }: Pick<Metrics, 'registry'>,
  log: Pick<Logger, 'error' | 'info'>,
  now: () => number = Date.now,
): Clocks {
  const gauge = new Gauge({
    name: 'clock_offset_seconds',
    help: "Seconds by which this machine's clock is ahead of another one, negative where it is behind",
    labelNames: ['source'],
    registers: [registry],
  });
  const samples = new Map<ClockSource, number[]>();
  const off = new Set<ClockSource>();
  return {
    saw(source, time) {
      const latest = [...(samples.get(source) ?? []), (now() - time) / 1000].slice(-SAMPLES_PER_CLOCK);
      samples.set(source, latest);
      if (latest.length < SAMPLES_PER_CLOCK) return;
      const seconds = latest.reduce((least, each) => (Math.abs(each) < Math.abs(least) ? each : least));
      gauge.set({ source }, seconds);
      if (isOff(seconds) === off.has(source)) return;
      if (off.delete(source)) return log.info(`the clocks of this machine and of the ${source} agree again`);
      off.add(source);
      log.error({ seconds: Math.round(seconds) }, `this machine's clock is not that of the ${source}`);
    },
  };
}

/** Another clock at the start. Resolves with its time in milliseconds, with `undefined` if it does not answer. */
export interface OtherClock {
  name: string;
  read(): Promise<number | undefined>;
}

const READ_TIMEOUT_MS = 3_000;
const READ_INTERVAL_MS = 10_000;

/** The clock of a web server, by an answer's `Date`, and `Age` if a cache gave it. */
export const clockOf = (name: string, url: string): OtherClock => ({
  name,
  async read() {
    try {
      const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
      const { headers } = await fetch(url, { method: 'HEAD', redirect: 'manual', signal });
      const time = Date.parse(headers.get('date') ?? '') + 1000 * Number(headers.get('age') ?? 0);
      return Number.isNaN(time) ? undefined : time;
    } catch {
      return undefined;
    }
  },
});

interface Waiting {
  now?(): number;
  sleep?(delay: number): Promise<void>;
}

/**
 * Waits until this machine's clock is right, with a line in the log for each reading: with a wrong one the process would be
 * ready and refuse every user. The first of the other clocks that answers counts; if none does, there is no wait.
 */
export async function waitForClock(
  otherClocks: readonly OtherClock[],
  log: Pick<Logger, 'warn'>,
  { now = Date.now, sleep = pause }: Waiting = {},
): Promise<void> {
  async function offset() {
    for (const { name, read } of otherClocks) {
      const time = await read();
      if (time !== undefined) return { than: name, seconds: Math.round((now() - time) / 1000) };
    }
    return undefined;
  }
  for (;;) {
    const clockOffset = await offset();
    if (!clockOffset || !isOff(clockOffset.seconds)) return;
    const [ahead, than] = [clockOffset.seconds > 0 ? 'ahead of' : 'behind', clockOffset.than];
    log.warn({ seconds: clockOffset.seconds }, `waiting for this machine's clock, which is ${ahead} that of ${than}`);
    await sleep(READ_INTERVAL_MS);
  }
}
