/** A deleted template can be restored for this time. */
export const RESTORABLE_DAYS = 30;
