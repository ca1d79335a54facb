import { sql } from 'kysely';
import { plainText } from '../../text/inline.ts';
import type { StatusRegistry } from '../../text/statuses.ts';
import type { Checklist } from '../../text/types.ts';
import { withNewest } from '../checklists/revisions.ts';
import { readText } from '../common/reading.ts';
import type { NoticeKind } from '../events/notices.ts';
import type { Tx } from '../store/tables.ts';

/** Most notices of a digest; further ones wait for the next. */
const MOST = 200;

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
    .where('checklist.tenant', '=', tenant)
    .where('notification.account', '=', account)
    .where('notification.sent', 'is', null)
    .orderBy('granted', 'desc')
    .orderBy('notification.created', 'desc')
    .orderBy('notification.row')
    .limit(MOST)
    .execute();

/** Whether the notice still holds: the item is there, open, and concerns the person in the same way. */
function holds(
  { rows }: Checklist,
  index: number,
  { kind, due }: Pick<WaitingNotice, 'kind' | 'due'>,
  { account, today }: { account: string; today: string },
): boolean {
  const row = rows[index];
  if (!row) return false;
  if (kind === 'MENTIONED') return row.mentions.includes(account) && !(row.kind === 'checkbox' && row.status.checked);
  if (row.kind !== 'checkbox' || row.status.checked) return false;
  if (kind === 'ASSIGNED') return row.assignee === account;
  // Also for the account that assigned the item.
  if (row.assignee === undefined || row.dueDate !== due) return false;
  return kind === 'OVERDUE' ? due < today : due >= today;
}

/** The notices that still hold, by issue, in the order of the waiting ones. */
export function digestOf(
  waiting: readonly WaitingNotice[],
  statusesOf: (project: string | undefined) => StatusRegistry,
  person: { account: string; today: string },
): DigestIssue[] {
  const issues = new Map<string, DigestIssue>();
  for (const notice of waiting) {
    const { issue, row, kind, due, text, project } = notice;
    const checklist = readText(text ?? '', statusesOf(project ?? undefined));
    const index = Array.isArray(notice.ids) ? notice.ids.indexOf(row) : -1;
    if (!holds(checklist, index, { kind, due }, person)) continue;
    const entry = issues.get(issue) ?? { issue, items: [] };
    entry.items.push({ kind: kind as NoticeKind, text: plainText(checklist, index), index });
    issues.set(issue, entry);
  }
  for (const { items } of issues.values()) items.sort((one, other) => one.index - other.index);
  return [...issues.values()];
}
