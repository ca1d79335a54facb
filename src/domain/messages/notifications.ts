/** Messages about notifications, and the texts of a digest. */

export const muted = 'Notifications of this issue are muted.';
export const unmuted = 'You get notifications of this issue again.';

/** Titles of a digest's parts, by kind of notice. */
export const titles = {
  ASSIGNED: 'Assigned to you',
  MENTIONED: 'Mentions you',
  DUE_TOMORROW: 'Due tomorrow',
  OVERDUE: 'Overdue',
} as const;

export const more = (count: number) => `And ${count.toLocaleString('en')} more.`;
export const openIssue = 'Open the issue';
const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
export const elsewhere = (items: number, issues: number) =>
  `${counted(items, 'more item')} in ${counted(issues, 'other issue')}`;
export const reason =
  'You can mute an issue in its checklist menu, and choose what you are notified about under Apps > Assigned checklist items > Notifications.';
