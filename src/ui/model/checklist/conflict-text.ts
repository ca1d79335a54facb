import type { HostBridge } from '../../../bridge/bridge.ts';
import type { Outcome } from '../../../client/changes.ts';
import type { ChecklistStore, ChecklistView, UserConflict } from '../../../client/checklist.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { getConflicts } from '../../../client/history.ts';
import type { Position } from '../../../client/live/refreshing.ts';
import {
  isSameConflict,
  newWords,
  type UndecidedConflict,
  type Unreported,
} from '../../../client/outbox/saved-values.ts';
import type { Base } from '../../../client/reading.ts';
import { getPeople } from '../../../client/tracker/people.ts';
import { MAX_CONFLICT_ENTRIES } from '../../../domain/constants.ts';
import { storage, conflicts as words } from '../../../domain/messages.ts';
import { personName } from '../../../domain/person.ts';
import { mentionsIn } from '../../../text/export/person.ts';
import { withoutMarks } from '../../../text/merge/details.ts';
import { type Attribute, attributeOf, type Conflict, isAttribute } from '../../../text/merge/row.ts';
import { documentOf } from '../../../text/merge/units.ts';
import { valueWords } from '../../../text/merge/words.ts';
import type { Checklist, Row } from '../../../text/types.ts';
import type { Notify } from '../../shell/services/services.ts';

type NameOf = (accountId: string) => string | undefined;

/** The parts of a conflict's message: people by name, values quoted. */
export function conflictParts({ row, attribute, mine, theirs }: Conflict<string>, nameOf: NameOf) {
  const what = isAttribute(attribute) ? words.attributes[attribute] : attribute;
  const value = (side: string) => {
    const said = valueWords(attribute, side, nameOf);
    return side === '' || attribute === 'kind' ? said : `“${said}”`;
  };
  return { row: valueWords('text', row, nameOf), what, mine: value(mine), theirs: value(theirs) };
}

/** A conflict as a sentence: the user's value was kept, the other author's is quoted. */
export function conflictText(conflict: Conflict<string>, nameOf: NameOf): string {
  const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
  return words.mineKept(row, what, mine, theirs);
}

/** Loads the names of the people mentioned in conflicts and of `accounts`. */
export async function namesIn(
  bridge: HostBridge,
  conflicts: readonly Conflict<string>[],
  accounts: readonly string[] = [],
): Promise<(accountId: string) => string> {
  const mentioned = conflicts.flatMap(({ row, mine, theirs }) => [row, mine, theirs].flatMap(mentionsIn));
  const ids = new Set([...accounts, ...mentioned]);
  const people = new Map(ids.size > 0 ? await getPeople(bridge, [...ids]) : []);
  return id => personName(people.get(id));
}

/** Conflicts as sentences with people's names. */
export async function conflictTexts(bridge: HostBridge, conflicts: readonly Conflict<string>[]): Promise<string[]> {
  const nameOf = await namesIn(bridge, conflicts);
  return conflicts.map(conflict => conflictText(conflict, nameOf));
}

/** The parts of a change's outcome that are reported. */
export type ReportedOutcome = Pick<Outcome, 'conflicts' | 'notices'>;

/** The notices that were reported, by what they were reported with. */
const reportedNotices = new WeakMap<Notify, Set<string>>();

/** Reports a change's conflicts, at their rows where they are shown, and its notices, each once. */
export function reportOutcome(
  bridge: HostBridge,
  notify: Notify,
  store: ChecklistStore | undefined,
  { conflicts, notices }: ReportedOutcome,
): void {
  const found = conflicts.map((conflict): UserConflict => ({ ...conflict, stored: 'mine' }));
  const left = store?.conflictView.show?.(found) ?? found;
  store?.savedValues()?.keepConflicts(found.filter(conflict => !left.includes(conflict)));
  if (left.length > 0) {
    void conflictTexts(bridge, left)
      // Reports at least that there were conflicts, if the names could not be loaded.
      .catch(() => [storage.sameItems])
      .then(texts => {
        for (const text of texts) notify(text, 'warning');
      });
  }
  const reported = reportedNotices.get(notify) ?? new Set();
  reportedNotices.set(notify, reported);
  for (const notice of notices) {
    if (!reported.has(notice)) notify(notice, 'warning');
    reported.add(notice);
  }
}

/** The value of a row as conflicts quote it; '' if there is no such row. */
export function valueAt(model: Checklist, index: number, attribute: Attribute): string {
  const unit = documentOf(model).units[index];
  return unit ? attributeOf(unit, attribute) : '';
}

/** The row of a conflict in the shown text, and the value that it has there; `undefined` if the row is not found. */
export function valueNow(
  view: Pick<ChecklistView, 'model' | 'rows'> | undefined,
  { row: text, rowId, attribute }: Pick<Conflict<string>, 'row' | 'rowId' | 'attribute'>,
): { index: number; row: Row; value: string } | undefined {
  if (!view || !isAttribute(attribute)) return undefined;
  const { model, rows = [] } = view;
  const named = rowId ? rows.indexOf(rowId) : -1;
  const [first = -1, ...more] = model.rows.flatMap((each, index) => (each.text === text ? [index] : []));
  const index = named >= 0 ? named : more.length > 0 ? -1 : first;
  const row = model.rows[index];
  return row && { index, row, value: valueAt(model, index, attribute) };
}

/** Whether two values of a row are equal; details may be written with their marks or without. */
export const isEqualValue = (attribute: string, a: string, b: string): boolean =>
  attribute === 'details' ? withoutMarks(a).trim() === withoutMarks(b).trim() : a === b;

/** Whether a conflict overwrote one of these values, or words that the user typed, and that are nowhere in the text. */
function isSaved({ attribute, mine, theirs }: Conflict<string>, { values, words }: Unreported, text: string): boolean {
  if (attribute !== 'text' && attribute !== 'details') return false;
  const value = attribute === 'details' ? withoutMarks(theirs).trim() : theirs;
  return values.has(value) || newWords(`${mine}\n${text}`, theirs).some(word => words.has(word));
}

/** Whether a reading has revisions whose conflicts were not reported. */
const isUnreported = ({ epoch, seq, conflictSeq = seq }: Base, { reported }: Unreported): boolean =>
  epoch !== '' && (epoch !== reported.epoch || conflictSeq > reported.seq);

export interface OverwrittenQuery {
  bridge: HostBridge;
  graphql: GraphqlClient;
  store: Pick<ChecklistStore, 'issueId' | 'get' | 'savedValues' | 'conflictView'>;
  /** The user's account: its own conflicts came with the response to the change. */
  account: string;
  /** Ends the report: another frame makes it. */
  signal: AbortSignal;
  /** The conflicts that this frame has offered at their rows. The report adds those that it offers. */
  offered: UndecidedConflict[];
}

async function loadConflicts({ graphql, store }: OverwrittenQuery, reported: Position) {
  const { issueId } = store;
  const entries = [];
  let after = reported;
  for (;;) {
    const page = (await graphql.query(getConflicts, { issueId, after: { epoch: after.epoch, seq: after.seq } }))
      .checklistConflicts;
    entries.push(...page);
    const last = page.at(-1);
    if (!last || page.length < MAX_CONFLICT_ENTRIES) return entries;
    after = last;
  }
}

/**
 * Records the values of the user that changes of other accounts have overwritten since the last report, once in all tabs.
 * After a change of this frame it returns sentences about other overwritten values of rows, too.
 */
async function recordOverwritten(query: OverwrittenQuery): Promise<readonly string[]> {
  const { bridge, store, account, signal } = query;
  const saved = store.savedValues();
  const sentences: string[] = [];
  await saved?.exclusively(async () => {
    const unreported = saved.get();
    const held = store.get()?.base;
    if (signal.aborted || !unreported || !held || !isUnreported(held, unreported)) return;
    const entries = await loadConflicts(query, unreported.reported);
    const found = entries.flatMap(({ account: by, seq, conflicts }) =>
      by === account
        ? []
        : conflicts.map(conflict => ({ by, seq, conflict, isOwn: isSaved(conflict, unreported, held.text) })),
    );
    const others = unreported.isRecent ? found.filter(({ isOwn }) => !isOwn) : [];
    const nameOf = await namesIn(
      bridge,
      others.map(({ conflict }) => conflict),
      others.map(({ by }) => by),
    );
    if (signal.aborted) return;
    const last = entries.at(-1);
    saved.report(last?.epoch === held.epoch && last.seq > held.seq ? last : held);
    saved.keepConflicts(
      found.flatMap(({ by, seq, conflict: { row, attribute, mine, theirs, rowId }, isOwn }) =>
        isOwn ? [{ row, attribute, mine: theirs, theirs: mine, rowId, stored: 'theirs', by, seq } as const] : [],
      ),
    );
    for (const { by, conflict } of others) {
      const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
      sentences.push(words.overwritten(row, nameOf(by), what, mine, theirs));
    }
  });
  return sentences;
}

/** A conflict that no row offers a choice of, in words. */
export interface LostValue {
  conflict: UndecidedConflict;
  sentence: string;
}

/**
 * Offers the recorded conflicts whose rows still have the stored value at those rows, and removes those whose rows have got
 * the user's value. Returns the user's values that were overwritten otherwise.
 */
function offerConflicts({ store, account, offered }: OverwrittenQuery, nameOf: NameOf): LostValue[] {
  const saved = store.savedValues();
  const view = store.get();
  if (!saved || !view) return [];
  const lost: LostValue[] = [];
  const conflicts = saved.conflicts();
  const isOffered = (conflict: UndecidedConflict) =>
    offered.some(each => each.seq === conflict.seq && isSameConflict(each, conflict));
  // Values may meet again after the user has decided.
  const undecided = offered.filter(each => conflicts.some(other => isSameConflict(each, other)));
  offered.splice(0, offered.length, ...undecided);
  for (const conflict of conflicts) {
    const { attribute, stored, seq = 0 } = conflict;
    // A newer revision is still to be loaded.
    if (seq > view.base.seq) continue;
    const now = valueNow(view, conflict);
    const isCurrent = now !== undefined && isEqualValue(attribute, now.value, conflict[stored]);
    if (isOffered(conflict)) {
      if (isCurrent || store.conflictView.isOpen?.(conflict)) continue;
    } else if (isCurrent && store.conflictView.show?.([{ ...conflict, row: now.row.text }])?.length === 0) {
      offered.push(conflict);
      continue;
    }
    const isNow = (side: 'mine' | 'theirs') => now !== undefined && isEqualValue(attribute, now.value, conflict[side]);
    const other = stored === 'mine' ? 'theirs' : 'mine';
    // The user has chosen in another tab, or has the own value.
    if (isNow(other) && (stored === 'theirs' || conflict.by === account)) saved.settleConflicts([conflict]);
    else if (stored === 'theirs' || isNow(other))
      lost.push({ conflict, sentence: lostSentence(conflict, isCurrent, nameOf) });
  }
  return lost;
}

/** Says that another user's value was stored instead of one of the user. `isCurrent`: the row still has the stored one. */
function lostSentence(conflict: UndecidedConflict, isCurrent: boolean, nameOf: NameOf): string {
  const { attribute, by, stored } = conflict;
  const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
  const name = (by === undefined ? undefined : nameOf(by)) ?? words.unnamed;
  const about = attribute === 'text' ? undefined : { row, what };
  return stored === 'mine'
    ? words.ownReplaced(about, mine, name, theirs)
    : words.ownOverwritten(about, mine, name, theirs, isCurrent);
}

/** The results of a report. */
export interface OverwrittenReport {
  lost: readonly LostValue[];
  /** About values of other users. */
  others: readonly string[];
}

/**
 * Reports what changes of other accounts have overwritten. What the user saved is offered at its row as long as that has the
 * other value. `undefined`: another frame reports.
 */
export async function reportOverwritten(query: OverwrittenQuery): Promise<OverwrittenReport | undefined> {
  const { bridge, store, signal } = query;
  const others = await recordOverwritten(query);
  const conflicts = store.savedValues()?.conflicts() ?? [];
  const nameOf = await namesIn(
    bridge,
    conflicts,
    conflicts.flatMap(({ by }) => by ?? []),
  );
  return signal.aborted ? undefined : { lost: offerConflicts(query, nameOf), others };
}
