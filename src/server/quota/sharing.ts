import { withTimeout } from '../../domain/timing.ts';
import { hourOf } from './hours.ts';
import type { Ledger } from './ledger.ts';
import type { QuotaRecords } from './records.ts';

export interface SharingOptions {
  ledger: Ledger;
  records: QuotaRecords;
  now(): number;
  /** Called with the database's time in milliseconds. */
  onTime?(time: number): void;
  /** Receives errors of an exchange; its data is kept for the next one. */
  onError(error: unknown): void;
}

/** Synchronizes the ledgers of all processes, by one statement a second. */
export interface Sharing {
  /** Exchanges now; concurrent callers share one exchange. */
  exchange(): Promise<void>;
  /** Exchanges at once, then every second. */
  start(): Promise<void>;
  /** Resolves when all is shared, or after `grace` milliseconds: then the rest is lost. */
  stop(grace?: number): Promise<void>;
}

const EXCHANGE_INTERVAL_MS = 1_000;
const LAST_EXCHANGE_MS = 2_000;

export function createSharing({ ledger, records, now, onTime, onError }: SharingOptions): Sharing {
  let last: { at: number; hour: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function exchangeOnce(): Promise<void> {
    const hour = hourOf(now());
    const since = last?.hour === hour ? last.at : null;
    const batch = ledger.take();
    try {
      const { at, ...changed } = await records.exchange({ given: batch, hour, since });
      onTime?.(at * 1000);
      ledger.shared(batch, changed);
      last = { at, hour };
    } catch (error) {
      ledger.restore(batch);
      onError(error);
    }
  }

  function exchange(): Promise<void> {
    running ??= exchangeOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function shareRest(): Promise<void> {
    // The running exchange does not have the points that were booked since it began.
    await running;
    await exchange();
  }

  return {
    exchange,
    async start() {
      await exchange();
      timer = setInterval(exchange, EXCHANGE_INTERVAL_MS);
    },
    async stop(grace = LAST_EXCHANGE_MS) {
      clearInterval(timer);
      await withTimeout(shareRest(), grace, () => new Error('Timed out')).catch(() => undefined);
    },
  };
}
