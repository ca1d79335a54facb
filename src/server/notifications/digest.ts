import { sql } from 'kysely';
import type { NotifyMode } from '../../domain/automation/notifications.ts';
import { plainText } from '../../text/plain-text.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import type { Checklist } from '../../text/types.ts';
import { withNewest } from '../checklists/revisions.ts';
import { readText } from '../common/reading.ts';
import type { NoticeKind } from '../events/row-events.ts';
import type { Tx } from '../store/tables.ts';

/** Most notices of a digest; further ones wait for the next. */
export const MOST_NOTICES = 200;

/** A waiting notice with the newest version of its issue. */
export interface WaitingNotice {
  issue: string;
  row: string;
  kind: string;
  due: string;
  text: string | null;
  ids: unknown;
  project: string | null;
  granted: boolean;
  /** The person is the one who assigned the item. */
  assigns: boolean;
}

/** A notice that still holds. */
export interface DigestItem {
  kind: NoticeKind;
  /** Its text without markup, in which its day stands. */
  text: string;
  /** The row's index. */
  index: number;
}

/** The notices of one issue, in the order of its rows. */
export interface DigestIssue {
  issue: string;
  items: DigestItem[];
}

/** A person's waiting notices. Issues that the tracker recently showed to the person come first, then newer ones. */
export const loadWaiting = (tx: Tx, tenant: string, account: string): Promise<WaitingNotice[]> =>
  withNewest(tx)
    .innerJoin('notification', join =>
      join.onRef('notification.tenant', '=', 'checklist.tenant').onRef('notification.issue', '=', 'checklist.issue'),
    )
    .select(['notification.issue', 'notification.row', 'notification.kind', 'notification.due'])
    .select(['revision.text', 'revision.rows as ids', 'checklist.project'])
    .select(
      sql<boolean>`exists (select from access_grant seen where seen.tenant = ${tenant} and seen.issue = notification.issue
        and seen.account = ${account} and seen.sees = 'issue')`.as('granted'),
    )
    .select(
      sql<boolean>`exists (select from assigned_item item where item.tenant = ${tenant} and item.issue = notification.issue
        and item."row" = notification."row" and item.assigner = ${account})`.as('assigns'),
    )
    .where('checklist.tenant', '=', tenant)
    .where('notification.account', '=', account)
    .where('notification.sent', 'is', null)
    .orderBy('granted', 'desc')
    .orderBy('notification.created', 'desc')
    .orderBy('notification.row')
    .limit(MOST_NOTICES)
    .execute();

/** Whom a digest is for, and the day there. */
export interface Recipient {
  account: string;
  today: string;
  notify: NotifyMode;
}

/** Whether the notice still holds: the item is there, open, and concerns the person in the same way. */
function holds(
  { rows }: Checklist,
  index: number,
  { kind, due, assigns }: Pick<WaitingNotice, 'kind' | 'due' | 'assigns'>,
  { account, today, notify }: Recipient,
): boolean {
  const row = rows[index];
  if (!row) return false;
  if (kind === 'MENTIONED') return row.mentions.includes(account) && !(row.kind === 'checkbox' && row.status.checked);
  if (row.kind !== 'checkbox' || row.status.checked) return false;
  if (kind === 'ASSIGNED') return row.assignee === account;
  const concerns = row.assignee === account || (row.assignee !== undefined && assigns && notify === 'ALL');
  if (!concerns || row.dueDate !== due) return false;
  return kind === 'OVERDUE' ? due < today : due >= today;
}

/** The notices that still hold, by issue, in the order of the waiting ones. */
export function digestOf(
  waiting: readonly WaitingNotice[],
  statusesOf: (project: string | undefined) => StatusRegistry,
  person: Recipient,
): DigestIssue[] {
  const issues = new Map<string, DigestIssue>();
  for (const notice of waiting) {
    const { issue, row, kind, due, text, project, assigns } = notice;
    const checklist = readText(text ?? '', statusesOf(project ?? undefined));
    const index = Array.isArray(notice.ids) ? notice.ids.indexOf(row) : -1;
    if (!holds(checklist, index, { kind, due, assigns }, person)) continue;
    const entry = issues.get(issue) ?? { issue, items: [] };
    entry.items.push({ kind: kind as NoticeKind, text: plainText(checklist, index), index });
    issues.set(issue, entry);
  }
  for (const { items } of issues.values()) items.sort((one, other) => one.index - other.index);
  return [...issues.values()];
}
