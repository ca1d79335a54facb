import { createHash } from 'node:crypto';

const HOUR = 3_600_000;
/** Milliseconds over which the start of work that waited for the hour's end is spread. */
const SPREAD = 300_000;

/** UTC hours since the epoch: the tracker's quota resets with each. */
export const hourOf = (time: number): number => Math.floor(time / HOUR);

export const hourEnd = (time: number): number => (hourOf(time) + 1) * HOUR;

/** The end of the hour after this one. */
export const nextHourEnd = (time: number): number => hourEnd(time) + HOUR;

/** Milliseconds by which the tracker's time of the hour's end may be wrong. */
const INEXACT = 60_000;
export const isHourEnd = (until: number, now: number): boolean => until >= hourEnd(now) - INEXACT;
/** Whether an end that the tracker reported is that of this hour. */
export const isThisHour = (end: number, now: number): boolean => Math.abs(end - hourEnd(now)) <= INEXACT;

/** Milliseconds after the hour's end at which waiting work starts: constant for a subject, spread over all subjects. */
export const spreadOf = (tenant: string, subject: string): number =>
  createHash('sha256').update(`${tenant} ${subject}`).digest().readUInt32BE() % SPREAD;
