import { createHash } from 'node:crypto';

const HOUR_MS = 3_600_000;
/** The start of work that waited for the hour's end is spread over this time. */
const START_SPREAD_MS = 300_000;

/** UTC hours since the epoch: the tracker's quota resets with each. */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS);

export const hourEnd = (time: number): number => (hourOf(time) + 1) * HOUR_MS;

/** The end of the hour after this one. */
export const nextHourEnd = (time: number): number => hourEnd(time) + HOUR_MS;

/** The tracker's time of the hour's end may be wrong by this much. */
const HOUR_END_TOLERANCE_MS = 60_000;
export const isHourEnd = (until: number, now: number): boolean => until >= hourEnd(now) - HOUR_END_TOLERANCE_MS;
/** Whether an end that the tracker reported is that of this hour. */
export const isThisHour = (end: number, now: number): boolean => Math.abs(end - hourEnd(now)) <= HOUR_END_TOLERANCE_MS;

/** Milliseconds after the hour's end at which waiting work starts: constant for a subject, spread over all subjects. */
export const startDelayOf = (tenant: string, subject: string): number =>
  createHash('sha256').update(`${tenant} ${subject}`).digest().readUInt32BE() % START_SPREAD_MS;
