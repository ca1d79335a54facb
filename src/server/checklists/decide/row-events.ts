import { appAuthor } from '../../../domain/person.ts';
import { progressOf } from '../../../text/progress.ts';
import type { CheckboxRow, Progress, Row } from '../../../text/types.ts';

/** The rows of a text with their persistent ids, in the same order; without ids if they are not known. */
export interface IdentifiedRows {
  rows: readonly Row[];
  ids: readonly string[];
}

/** An item of a checklist, with its position and the words of the header above it. */
export interface EventItem {
  /** Persistent id of its row. */
  id: string;
  index: number;
  row: CheckboxRow;
  section: string | undefined;
}

/** An item that now has another assignee, or now names a person. */
export interface PersonEvent {
  account: string;
  row: string;
}

/** The differences between two versions that concern items and people. */
export interface RowEvents {
  completed: EventItem[];
  reopened: EventItem[];
  /** New and changed items, and the ids of deleted items. */
  changed: EventItem[];
  removed: string[];
  /** Whether the last open item was completed or removed. */
  isCompleted: boolean;
  assigned: PersonEvent[];
  /** People who are mentioned now, and not as the assignee. */
  mentioned: PersonEvent[];
  progress: Progress;
}

/** The items by id; rows whose ids are not known are left out. */
function itemsOf({ rows, ids }: IdentifiedRows): Map<string, EventItem> {
  const items = new Map<string, EventItem>();
  let section: string | undefined;
  for (const [index, row] of rows.entries()) {
    const id = ids[index];
    if (row.kind === 'header') section = row.words;
    else if (id !== undefined) items.set(id, { id, index, row, section });
  }
  return items;
}

const mentionsOf = (row: Row | undefined): readonly string[] => row?.mentions ?? [];

const detailsOf = ({ details }: CheckboxRow): string => details.map(({ text }) => text).join('\n');

const isSame = (one: CheckboxRow, other: CheckboxRow): boolean =>
  one === other ||
  (one.text === other.text &&
    one.status.slug === other.status.slug &&
    one.mandatory === other.mandatory &&
    detailsOf(one) === detailsOf(other));

const isComplete = ({ total, checked }: Progress): boolean => total > 0 && total === checked;

/** Compares the rows of two versions, in time linear in their number. */
export function eventsBetween(before: IdentifiedRows, after: IdentifiedRows): RowEvents {
  const [was, is] = [itemsOf(before), itemsOf(after)];
  const progress = progressOf(after.rows);
  const events: RowEvents = {
    ...{ completed: [], reopened: [], changed: [], assigned: [], mentioned: [], progress },
    removed: [...was.keys()].filter(id => !is.has(id)),
    isCompleted: isComplete(progress) && !isComplete(progressOf(before.rows)),
  };
  for (const [id, item] of is) {
    const { row } = item;
    const old = was.get(id)?.row;
    if (old && isSame(old, row)) continue;
    events.changed.push(item);
    if (old && old.status.checked !== row.status.checked) {
      events[row.status.checked ? 'completed' : 'reopened'].push(item);
    }
    const { assignee } = row;
    if (assignee !== undefined && assignee !== old?.assignee) events.assigned.push({ account: assignee, row: id });
  }
  const rows = new Map(before.ids.map((id, index) => [id, before.rows[index]]));
  for (const [index, row] of after.rows.entries()) {
    const id = after.ids[index];
    if (id === undefined || row.mentions.length === 0) continue;
    const knownAccounts = new Set([...mentionsOf(rows.get(id)), row.kind === 'checkbox' ? row.assignee : undefined]);
    for (const account of new Set(row.mentions))
      if (!knownAccounts.has(account)) events.mentioned.push({ account, row: id });
  }
  return events;
}

/** The subjects of notifications. */
export const noticeKinds = ['ASSIGNED', 'MENTIONED', 'DUE_TOMORROW', 'OVERDUE'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A notice of a change, for a person other than its author. */
export interface Notice {
  account: string;
  row: string;
  kind: NoticeKind;
}

/** Account ids of the tracker, as in its tokens; a pattern of the database, too. */
export const ACCOUNT_ID = '^[A-Za-z0-9_:.-]{1,128}$';
const accountId = new RegExp(ACCOUNT_ID);
/** A change with more notices leaves out the rest. */
const MAX_NOTICES = 100;

/** The notices of a change; never of a person's own one. */
export function noticesOf({ assigned, mentioned }: RowEvents, author: string): Notice[] {
  const notices = [
    ...assigned.map(each => ({ ...each, kind: 'ASSIGNED' as const })),
    ...mentioned.map(each => ({ ...each, kind: 'MENTIONED' as const })),
  ];
  return notices
    .filter(({ account }) => account !== author && accountId.test(account) && !appAuthor(account))
    .slice(0, MAX_NOTICES);
}

/** The digest waits for this time after the first notice, so that a change which is corrected at once is not sent. */
export const DIGEST_DELAY_MS = 5 * 60_000;
