/*
 * Milliseconds of test timeouts. No test measures time, and a shared machine may stall for a minute: these only end
 * what hangs.
 */

/** Of a test, or what is around it. */
export const TEST_TIMEOUT = 120_000;

/** Of one wait within a test, for an element, a value or a call. */
export const WAIT_TIMEOUT = 60_000;
