/**
 * Classes of work at a tracker. Each has to wait once the part `until` of the hour's points is used.
 */
export const workClasses = [
  /** Reads for changes without events, and recovery of unfinished work. */
  { name: 'sweep', until: 0.7 },
  /** Jobs over a project or a site, rules, and the projects' copies of statuses and templates. */
  { name: 'job', until: 0.7 },
  /** Writes of an issue's text field, and the reads for them. */
  { name: 'field', until: 0.7 },
  /** Writes of the checklist property from which workflow rules read the same as before. */
  { name: 'property', until: 0.9 },
  /** Reads of an issue that an event named. */
  { name: 'event', until: 0.9 },
  /** Writes of the checklist property that may change what workflow rules read. */
  { name: 'verdict', until: 1 },
  /** Calls that a program waits for, by the REST API. */
  { name: 'api', until: 0.9 },
  /** Calls that a user waits for: permission checks, the first adoption of an issue, screens. */
  { name: 'person', until: 1 },
] as const satisfies readonly { name: string; until: number }[];

export type Work = (typeof workClasses)[number]['name'];

/** The cause of calls. */
export interface Cause {
  work: Work;
  /** The account whose points are counted; `null` for work of the site. */
  account: string | null;
}

/** Work that an account waits for. */
export const personalCause = (account: string): Cause => ({ work: 'person', account });

/** Work of the site as a whole. */
export const background = (work: Exclude<Work, 'person'>): Cause => ({ work, account: null });
