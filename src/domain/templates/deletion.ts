/** Days for which a deleted template can be restored. */
export const RESTORABLE_DAYS = 30;
