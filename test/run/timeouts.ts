/*
 * Milliseconds that tests have. No test is about time, and a machine that is shared may stand still for a minute: these
 * only end what hangs.
 */

/** Of a test, or what is around it. */
export const PATIENCE = 120_000;

/** Of one wait within a test, for an element, a value or a call. */
export const WAIT = 60_000;
