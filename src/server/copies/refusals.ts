import type { TrackerRefused } from '../errors/tracker.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { MailSuppression } from '../platform/tracker/issue.ts';
import { createCache } from '../store/cached.ts';

/** Why a copy of a checklist is not written to the tracker; labels of a metric. */
export const copyRefusals = ['forbidden', 'refused', 'size', 'screen', 'foreign'] as const;
export type CopyRefusal = (typeof copyRefusals)[number];

/** Copies of an issue's checklist. */
export type CopyName = 'property' | 'field';
/** Copies in projects of what applies there. */
export const projectCopies = ['statuses', 'templates'] as const;
export type ProjectCopyName = (typeof projectCopies)[number];

/** The pause before the next try is doubled each time, up to the longest. */
const TRACKER_PAUSE_MINUTES = { first: 2, longest: 6 * 60 };
const OWN_PAUSE_MINUTES = { first: 60, longest: 24 * 60 };

const pauses: Record<CopyRefusal, typeof TRACKER_PAUSE_MINUTES> = {
  /** The app lacks a permission. */
  forbidden: TRACKER_PAUSE_MINUTES,
  /** The tracker refused it otherwise: an archived issue, a field that is no longer there. */
  refused: TRACKER_PAUSE_MINUTES,
  /** It is too large for the copy. */
  size: OWN_PAUSE_MINUTES,
  /** The field is not on the issue's screen. */
  screen: OWN_PAUSE_MINUTES,
  /** The copy holds a foreign value that was left out of the checklist. */
  foreign: OWN_PAUSE_MINUTES,
};

/** Why a copy was last not written. */
export interface Refusal {
  reason: string;
  /** Pauses in a row. */
  tries: number;
  /** The end of the last pause. */
  retry: Date;
}

const MINUTE_MS = 60_000;

/** The refusal after a further one. A try before the end of a pause makes it no longer. */
export function repeatedRefusal(before: Refusal | undefined, reason: CopyRefusal, now: Date): Refusal {
  if (before && before.retry > now) return { ...before, reason };
  const tries = before?.tries ?? 0;
  const { first, longest } = pauses[reason];
  const minutes = Math.min(longest, first * 2 ** tries);
  return { reason, tries: tries + 1, retry: new Date(now.getTime() + minutes * MINUTE_MS) };
}

/** Whether an operator or administrator can mend it, so that it is logged and gives an alert. */
export const isOfTracker = (refusal: CopyRefusal): boolean => pauses[refusal] === TRACKER_PAUSE_MINUTES;

export const refusalOf = ({ status }: TrackerRefused): CopyRefusal =>
  status === 401 || status === 403 ? 'forbidden' : 'refused';

/** The tracker refuses a copy of an issue's checklist. For the log: its retries say nothing. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';

  constructor({ copy, issue, refusal }: { copy: CopyName; issue: string; refusal: TrackerRefused }) {
    super(
      `${refusal.message} The ${copy} of issue ${issue} is tried again in ${TRACKER_PAUSE_MINUTES.first} minutes, then more rarely.`,
    );
  }
}

/** After this time, e-mail is suppressed again in a project that denied it, as its permissions may have changed. */
const MAIL_RETRY_MS = 24 * 60 * 60_000;
const MAX_PROJECTS = 10_000;

/**
 * Remembers the projects in which the app may not suppress mail, so that each write there is one call. `record` stores it
 * for administrators, once a day for each project.
 */
export function createMailSuppression(
  record: (place: { tenant: string; project: string }, isMailed: boolean) => Promise<void>,
): (tenant: Pick<Tenant, 'id' | 'epoch'>, project: string | undefined) => MailSuppression {
  const mailed = createCache<boolean>(MAX_PROJECTS, MAIL_RETRY_MS);
  return ({ id, epoch }, project) => {
    const key = project === undefined ? undefined : JSON.stringify([id, epoch, project]);
    return {
      isDenied: () => key !== undefined && mailed.get(key) === true,
      async note(isMailed) {
        if (project === undefined || key === undefined || mailed.get(key) === isMailed) return;
        mailed.set(key, isMailed);
        await record({ tenant: id, project }, isMailed);
      },
    };
  };
}
