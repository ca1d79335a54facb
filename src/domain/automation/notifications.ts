/** The choices of a person: no notices; own items and mentions; also items that the person assigned to others. */
export const notifyModes = ['OFF', 'MINE', 'ALL'] as const;
export type NotifyMode = (typeof notifyModes)[number];

/** Applies to people without a choice. */
export const DEFAULT_NOTIFY: NotifyMode = 'MINE';

/** Whether it is an IANA time zone that this program knows. */
export function isZone(zone: string): boolean {
  try {
    return zone.length <= 64 && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
