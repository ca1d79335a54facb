import type { Fault } from '../wire/faults.ts';

/** A fault as selectable in the page. */
export interface FaultKind {
  name: string;
  fault: Fault;
}

const EVERY = '.';
const PROPERTY_WRITES = '^PUT .*/properties/';
const ISSUE_WRITES = '^PUT .*/issue/[^/]+(/properties/.*)?$';
const FIELD_WRITES = '^PUT .*/issue/[^/?]+(\\?|$)';

/** Faults of the real tracker, with its own texts and headers. The three limits are those of its documentation. */
export const faultKinds = {
  burst: {
    name: 'Too many calls at once (429)',
    fault: { match: EVERY, status: 429, reason: 'jira-burst-based', retryAfter: 1 },
  },
  issueLimit: {
    name: 'Too many writes to one issue (429)',
    fault: { match: ISSUE_WRITES, status: 429, reason: 'jira-per-issue-on-write', retryAfter: 2 },
  },
  quota: {
    name: 'Hourly quota used up (429)',
    fault: { match: EVERY, status: 429, reason: 'jira-quota-tenant-based', retryAfter: 30 },
  },
  error: { name: 'Server error (500)', fault: { match: EVERY, status: 500 } },
  unavailable: { name: 'Unavailable (503)', fault: { match: EVERY, status: 503, retryAfter: 1 } },
  slow: { name: 'Slow', fault: { match: EVERY, delayMs: 3_000 } },
  delayed: { name: 'Accepted, done late', fault: { match: '^PUT ', lateMs: 3_000 } },
  offline: { name: 'Offline', fault: { match: EVERY, cut: 'before', forMs: 30_000 } },
  cutBefore: { name: 'Connection cut, nothing done', fault: { match: '^PUT ', cut: 'before' } },
  cutLate: { name: 'Connection cut, done late', fault: { match: '^PUT ', cut: 'taken', lateMs: 3_000 } },
  cutAfter: { name: 'Connection cut, done', fault: { match: '^PUT ', cut: 'after' } },
  propertyRefused: { name: 'Property refused (400)', fault: { match: PROPERTY_WRITES, refuse: 'property' } },
  offScreen: { name: 'Field not on the screen (400)', fault: { match: FIELD_WRITES, refuse: 'screen' } },
  taskLate: { name: 'Bulk updates delayed', fault: { match: EVERY, task: 'late', delayMs: 10_000 } },
  taskFailed: { name: 'Bulk updates fail', fault: { match: EVERY, task: 'failed' } },
  webhookLate: { name: 'Webhooks delayed', fault: { match: EVERY, webhook: 'late', delayMs: 10_000 } },
  webhookOvertaken: { name: 'Webhooks out of order', fault: { match: EVERY, webhook: 'overtaken', delayMs: 5_000 } },
  webhookDoubled: { name: 'Webhooks twice', fault: { match: EVERY, webhook: 'doubled', delayMs: 1_000 } },
  webhookDropped: { name: 'Webhooks lost', fault: { match: EVERY, webhook: 'dropped' } },
} as const satisfies Record<string, FaultKind>;
