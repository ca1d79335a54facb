/** Events between the app's frames on this page, and from the page to them. */

type Listener = (payload: unknown) => unknown;

interface Subscription {
  event: string;
  /** Id of the frame's issue, if any. */
  issueId: string | undefined;
  listener: Listener;
}

const subscriptions = new Set<Subscription>();

/** Returns the unsubscribe function. */
export function subscribe(subscription: Subscription): () => void {
  subscriptions.add(subscription);
  return () => void subscriptions.delete(subscription);
}

/** Sends to all listening frames, the sender included. */
export function emit(event: string, payload: unknown): void {
  for (const each of [...subscriptions]) if (each.event === event) void each.listener(payload);
}

/** Notifies the panels of an issue of a change (Forge, "Jira issue context", events). */
export function publishIssueChanged(issueId: string, projectId: string, atlassianId: string): void {
  const payload = { issueId, projectId, changes: [{ changeType: 'updated', atlassianId }] };
  for (const each of [...subscriptions])
    if (each.event === 'JIRA_ISSUE_CHANGED' && each.issueId === issueId) void each.listener(payload);
}
