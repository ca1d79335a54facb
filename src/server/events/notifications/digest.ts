import type { NotifyMode } from '../../../domain/automation/notifications.ts';
import { appAuthor } from '../../../domain/person.ts';
import type { RegistryStatus } from '../../../domain/statuses.ts';
import { plainText } from '../../../text/plain-text.ts';
import type { Checklist } from '../../../text/types.ts';
import type { NoticeKind } from '../../checklists/decide/row-events.ts';
import { readText, registryBy } from '../../text-workers/reading.ts';
import { textTask } from '../../text-workers/task.ts';

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
  /** The account that assigned the item, if that is known. */
  assigner: string | null;
  /** The issue's key, if that is known. */
  key: string | null;
}

/** A notice that still holds. */
export interface DigestItem {
  kind: NoticeKind;
  /** Its text without markup, in which its day stands. */
  text: string;
  /** The row's index. */
  index: number;
  /** The account that caused the notice, if that is known. */
  by?: string;
}

/** The notices of one issue, in the order of its rows. */
export interface DigestIssue {
  issue: string;
  key: string | null;
  items: DigestItem[];
}

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

interface Waiting {
  notices: readonly Omit<WaitingNotice, 'text' | 'ids'>[];
  /** The texts of the issues, and their rows' persistent ids. */
  texts: ReadonlyMap<string, { text: string; ids: unknown; statuses: readonly RegistryStatus[] }>;
  person: Recipient;
}

/** The notices that still hold, by issue, in the order of the waiting ones. */
function digestOf({ notices, texts, person }: Waiting): DigestIssue[] {
  const issues = new Map<string, DigestIssue>();
  for (const { issue, key, row, kind, due, assigns, assigner } of notices) {
    const { text = '', ids, statuses = [] } = texts.get(issue) ?? {};
    const checklist = readText(text, registryBy(statuses));
    const index = Array.isArray(ids) ? ids.indexOf(row) : -1;
    if (!holds(checklist, index, { kind, due, assigns }, person)) continue;
    const entry = issues.get(issue) ?? { issue, key, items: [] };
    entry.items.push({
      ...{ kind: kind as NoticeKind, text: plainText(checklist, index), index },
      ...(kind === 'ASSIGNED' && assigner && !appAuthor(assigner) && { by: assigner }),
    });
    issues.set(issue, entry);
  }
  for (const { items } of issues.values()) items.sort((one, other) => one.index - other.index);
  return [...issues.values()];
}

/** Finds the notices that still hold. */
export const digestTask = textTask({
  name: 'digest',
  run: digestOf,
  charactersOf: ({ texts }) => [...texts.values()].reduce((sum, { text }) => sum + text.length, 0),
});

/** Waiting notices with the text of each issue once. */
export const waitingWith = (
  waiting: readonly WaitingNotice[],
  listOf: (project: string | undefined) => readonly RegistryStatus[],
): Pick<Waiting, 'notices' | 'texts'> => ({
  notices: waiting.map(({ text: _text, ids: _ids, ...notice }) => notice),
  texts: new Map(
    waiting.map(({ issue, text, ids, project }) => [
      issue,
      { text: text ?? '', ids, statuses: listOf(project ?? undefined) },
    ]),
  ),
});
