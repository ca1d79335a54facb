import { createExchange, type Exchange } from './exchange.ts';
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
export interface Sharing extends Omit<Exchange, 'start'> {
  /** Exchanges at once, then every second. */
  start(): Promise<void>;
}

export function createSharing({ ledger, records, now, onTime, onError }: SharingOptions): Sharing {
  let last: { at: number; hour: number } | undefined;

  async function exchangeOnce(): Promise<void> {
    const hour = hourOf(now());
    const since = last?.hour === hour ? last.at : null;
    const given = ledger.take();
    try {
      const { at, ...changed } = await records.exchange({ given, hour, since });
      onTime?.(at * 1000);
      ledger.shared(given, changed);
      last = { at, hour };
    } catch (error) {
      ledger.restore(given);
      onError(error);
    }
  }

  const { exchange, start, stop } = createExchange(exchangeOnce);
  return {
    exchange,
    async start() {
      await exchange();
      start();
    },
    stop,
  };
}
