import { isReadRetried } from '../../../client/outbox/failure.ts';
import { backoff } from '../../../domain/timing.ts';

/** A query without an answer is repeated after the first pause, which doubles each time up to the longest. */
const FIRST_PAUSE_MS = 4_000;
const MAX_PAUSE_MS = 60_000;

/**
 * The refetch interval of a query that failed and may succeed the next time, also for a query with an interval of its
 * own.
 */
export const retryInterval = ({ state }: { state: { error: unknown; errorUpdateCount: number } }): number | false =>
  isReadRetried(state.error) && backoff(Math.max(0, state.errorUpdateCount - 1), FIRST_PAUSE_MS, MAX_PAUSE_MS);
