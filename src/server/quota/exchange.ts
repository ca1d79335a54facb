import { withTimeout } from '../../domain/timing.ts';

/** Exchanges what this process has counted with all processes, again and again. */
export interface Exchange {
  /** Exchanges now; concurrent callers share one exchange. */
  exchange(): Promise<void>;
  /** Exchanges every second. */
  start(): void;
  /** Resolves when all is shared, or after `grace` milliseconds: then the rest is lost. */
  stop(grace?: number): Promise<void>;
}

/** Milliseconds between two exchanges, and for the last one. */
const PERIOD = 1_000;
const GRACE = 2_000;

/** `exchangeOnce` never rejects: what it could not share is kept for the next exchange. */
export function createExchange(exchangeOnce: () => Promise<void>): Exchange {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function exchange(): Promise<void> {
    running ??= exchangeOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function shareRest(): Promise<void> {
    // What was counted since it began is not in it.
    await running;
    await exchange();
  }

  return {
    exchange,
    start() {
      timer = setInterval(exchange, PERIOD);
    },
    async stop(grace = GRACE) {
      clearInterval(timer);
      await withTimeout(shareRest(), grace, () => new Error('Timed out')).catch(() => undefined);
    },
  };
}
