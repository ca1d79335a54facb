import { isReadAgain } from '../../../client/outbox/failure.ts';
import { backoff } from '../../../domain/timing.ts';

/** Milliseconds before a query without an answer is repeated: the first pause, doubled each time, and the longest. */
const FIRST_PAUSE = 4_000;
const LONGEST_PAUSE = 60_000;

/** The refetch interval of a query that failed and may be answered the next time, also for those with their own interval. */
export const retryInterval = ({ state }: { state: { error: unknown; errorUpdateCount: number } }): number | false =>
  isReadAgain(state.error) && backoff(Math.max(0, state.errorUpdateCount - 1), FIRST_PAUSE, LONGEST_PAUSE);
