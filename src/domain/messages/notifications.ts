/** Messages about notifications, and the texts of a digest. */

export const muted = 'Notifications for this issue are muted.';
export const unmuted = 'Notifications for this issue are no longer muted.';

/** Titles of a digest's parts, by kind of notice. */
export const titles = {
  ASSIGNED: 'Assigned to you',
  MENTIONED: 'Mentions you',
  DUE_TOMORROW: 'Due tomorrow',
  OVERDUE: 'Overdue',
} as const;

export const more = (count: number) => `And ${count.toLocaleString('en')} more.`;
export const openIssue = (key: string | null) => (key === null ? 'Open the issue' : `Open ${key}`);
/** The words of a link to the profile of the one who did it. */
export const assignedBy = (name: string | undefined) =>
  name === undefined ? 'see who assigned it' : `assigned by ${name}`;
const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
export const elsewhere = (items: number, issues: number) =>
  `${counted(items, 'more item')} in ${counted(issues, 'other issue')}`;
export const reason =
  'To mute an issue, choose “Mute notifications” in its checklist actions. To change what you are notified about, go to Apps > Assigned checklist items > Notifications.';
