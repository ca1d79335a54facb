import { setTimeout as pause } from 'node:timers/promises';
import { hourOf } from './hours.ts';
import type { Ledger } from './ledger.ts';
import type { QuotaRecords } from './records.ts';

/** Milliseconds between two exchanges. */
const PERIOD = 1_000;
/** Milliseconds for the last exchange. */
const GRACE = 2_000;

export interface SharingOptions {
  ledger: Ledger;
  records: QuotaRecords;
  now(): number;
  /** Receives errors of an exchange; its data is kept for the next one. */
  onError(error: unknown): void;
}

/** Synchronizes the ledgers of all processes, by one statement a second. */
export interface Sharing {
  exchange(): Promise<void>;
  /** Exchanges at once, then every second. */
  start(): Promise<void>;
  /** Resolves when all is shared, or after `grace` milliseconds: then the rest is lost. */
  stop(grace?: number): Promise<void>;
}

export function createSharing({ ledger, records, now, onError }: SharingOptions): Sharing {
  let last: { at: number; hour: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function exchangeOnce(): Promise<void> {
    const hour = hourOf(now());
    const since = last?.hour === hour ? last.at : null;
    const given = ledger.take();
    try {
      const { at, ...changed } = await records.exchange({ given, hour, since });
      ledger.shared(given, changed);
      last = { at, hour };
    } catch (error) {
      ledger.restore(given);
      onError(error);
    }
  }

  function exchange(): Promise<void> {
    running ??= exchangeOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    exchange,
    async start() {
      await exchange();
      timer = setInterval(exchange, PERIOD);
    },
    async stop(grace = GRACE) {
      clearInterval(timer);
      const shareRest = async () => {
        await running;
        await exchange();
      };
      await Promise.race([shareRest(), pause(grace, undefined, { ref: false })]);
    },
  };
}
