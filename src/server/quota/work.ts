/**
 * Classes of work at a tracker, in the order in which they wait: each until that part of the hour's points is used
 * (design.md §4.5).
 */
export const workClasses = [
  /** Looks for what events did not tell, and recovery of what was left open. */
  { name: 'sweep', until: 0.7 },
  /** Jobs over a project or a site, rules, and what projects keep of statuses and templates. */
  { name: 'job', until: 0.7 },
  /** Writes of an issue's text field, with the reads that they need. */
  { name: 'field', until: 0.7 },
  /** Writes of the checklist property from which workflow rules read the same as before. */
  { name: 'property', until: 0.9 },
  /** Looks at an issue that an event named. */
  { name: 'event', until: 0.9 },
  /** Writes of the checklist property that may change what workflow rules read. */
  { name: 'verdict', until: 1 },
  /** What a person waits for: permission checks, the first adoption of an issue, screens. */
  { name: 'person', until: 1 },
] as const satisfies readonly { name: string; until: number }[];

export type Work = (typeof workClasses)[number]['name'];

/** What calls are made for. */
export interface Cause {
  work: Work;
  /** The account that a part of its site's points is counted for; `null` for work of the site. */
  account: string | null;
}

/** Work that an account waits for. */
export const personal = (account: string): Cause => ({ work: 'person', account });

/** Work of the site as a whole. */
export const background = (work: Exclude<Work, 'person'>): Cause => ({ work, account: null });
