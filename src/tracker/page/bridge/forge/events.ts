/** Events of the app's frames on this page, and of the page for them. */

type Listener = (payload: unknown) => unknown;

interface Subscription {
  event: string;
  /** Of the issue that the frame is at, where it is at one. */
  issueId: string | undefined;
  listener: Listener;
}

const subscriptions = new Set<Subscription>();

/** Returns what ends it. */
export function subscribe(subscription: Subscription): () => void {
  subscriptions.add(subscription);
  return () => void subscriptions.delete(subscription);
}

/** To all frames that listen, the one that emits it included. */
export function emit(event: string, payload: unknown): void {
  for (const each of [...subscriptions]) if (each.event === event) void each.listener(payload);
}

/** Tells the panels of an issue that it was changed (Forge, "Jira issue context", events). */
export function tellIssueChanged(issueId: string, projectId: string, atlassianId: string): void {
  const payload = { issueId, projectId, changes: [{ changeType: 'updated', atlassianId }] };
  for (const each of [...subscriptions])
    if (each.event === 'JIRA_ISSUE_CHANGED' && each.issueId === issueId) void each.listener(payload);
}
