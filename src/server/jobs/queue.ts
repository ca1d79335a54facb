/** What waits to be done in the background, by name, and what each needs to know. */
export interface Jobs {
  /** Make the issue's text field equal to its checklist. */
  'write-field': { tenant: string; issue: string };
  /** Look at an issue that somebody may have changed behind our back. */
  'look-at-issue': { tenant: string; issue: string };
}
export type JobName = keyof Jobs;

export interface AddOptions {
  /** Milliseconds to wait first. */
  after?: number;
  /** While a job of this name and key waits, another one is not added. */
  key?: string;
}

/** Durable background work: a job that was added runs at least once, also after a kill, so handlers can be repeated. */
export interface Queue {
  add<Name extends JobName>(name: Name, data: Jobs[Name], options?: AddOptions): Promise<void>;
}
