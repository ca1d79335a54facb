import { TrackerRefused } from '../../errors/tracker.ts';
import type { Tracker } from './client.ts';

/** A notification of an issue for one person, whom the tracker sends it if the person has the permissions. */
export interface IssueNotification {
  account: string;
  /** Keys of the tracker's permissions on the issue, all of them required. */
  permissions: readonly string[];
  text: string;
  html: string;
}

/**
 * Sends a notification in the tracker's own way (REST, "Send notification for issue"); the tracker makes its subject of
 * the issue's key and summary. Resolves with whether the tracker took it: not for an issue or a person that it does not
 * know. Sent once: repeated, it would be sent twice.
 */
export async function sendNotification(
  tracker: Tracker,
  issue: string,
  { account, permissions, text, html }: IssueNotification,
): Promise<boolean> {
  const answer = await tracker({
    name: 'sendNotification',
    method: 'POST',
    path: `/rest/api/3/issue/${issue}/notify`,
    json: {
      textBody: text,
      htmlBody: html,
      to: { users: [{ accountId: account }], reporter: false, assignee: false, watchers: false, voters: false },
      restrict: { permissions: permissions.map(key => ({ key })) },
    },
    once: true,
  });
  if (answer.status < 300) return true;
  if (answer.status === 400 || answer.status === 403 || answer.status === 404) return false;
  throw new TrackerRefused('sendNotification', answer);
}
