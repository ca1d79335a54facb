import type { HostBridge } from '../../../bridge/bridge.ts';
import type { Outcome } from '../../../client/changes.ts';
import type { ChecklistStore, UserConflict } from '../../../client/checklist.ts';
import type { GraphqlClient } from '../../../client/graphql.ts';
import { getConflicts } from '../../../client/history.ts';
import type { Position } from '../../../client/live/refreshing.ts';
import { newWords, type Unreported } from '../../../client/outbox/saved-values.ts';
import { getPeople } from '../../../client/tracker/people.ts';
import { MAX_CONFLICT_ENTRIES } from '../../../domain/constants.ts';
import { storage, conflicts as words } from '../../../domain/messages.ts';
import { personName } from '../../../domain/person.ts';
import { mentionsIn } from '../../../text/export/person.ts';
import { type Conflict, isAttribute } from '../../../text/merge/row.ts';
import { valueWords } from '../../../text/merge/words.ts';
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

/** Whether a conflict overwrote one of these values, or words that the user typed. */
function isSaved({ attribute, mine, theirs }: Conflict<string>, { values, words }: Unreported): boolean {
  if (attribute !== 'text' && attribute !== 'details') return false;
  const value = attribute === 'details' ? theirs.replace(/^[ \t]*>[ \t]*/gm, '').trim() : theirs;
  return values.has(value) || newWords(mine, theirs).some(word => words.has(word));
}

/** Whether a reading has revisions whose conflicts were not reported. */
const isUnreported = ({ epoch, seq }: Position, { reported }: Unreported): boolean =>
  epoch !== '' && (epoch !== reported.epoch || seq > reported.seq);

export interface OverwrittenQuery {
  bridge: HostBridge;
  graphql: GraphqlClient;
  store: Pick<ChecklistStore, 'issueId' | 'get' | 'savedValues' | 'conflictView'>;
  /** The user's account: its own conflicts came with the response to the change. */
  account: string;
  /** Ends the report: another frame makes it. */
  signal: AbortSignal;
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
 * Reports what changes of other accounts have overwritten since the last report, once in all tabs. What the user saved is
 * shown at its row, else passed to `lose`; other values of rows, after a change of this frame only, to `warn`.
 */
export async function reportOverwritten(
  query: OverwrittenQuery,
  lose: (sentences: readonly string[]) => void,
  warn: (sentences: readonly string[]) => void,
): Promise<void> {
  const { bridge, store, account, signal } = query;
  const saved = store.savedValues();
  await saved?.exclusively(async () => {
    const unreported = saved.get();
    const held = store.get()?.base;
    if (signal.aborted || !unreported || !held || !isUnreported(held, unreported)) return;
    const entries = await loadConflicts(query, unreported.reported);
    const found = entries.flatMap(({ account: by, conflicts }) =>
      by === account ? [] : conflicts.map(conflict => ({ by, conflict, isOwn: isSaved(conflict, unreported) })),
    );
    const overwritten = found.filter(({ isOwn }) => isOwn || unreported.isRecent);
    const nameOf = await namesIn(
      bridge,
      overwritten.map(({ conflict }) => conflict),
      overwritten.map(({ by }) => by),
    );
    if (signal.aborted) return;
    const last = entries.at(-1);
    saved.report(last?.epoch === held.epoch && last.seq > held.seq ? last : held);

    const isShown = (by: string, { row, attribute, mine, theirs, rowId }: Conflict<string>): boolean => {
      const shown: UserConflict = { row, attribute, mine: theirs, theirs: mine, rowId, stored: 'theirs', by };
      return store.conflictView.show?.([shown])?.length === 0;
    };
    const sentences: Record<'choices' | 'own' | 'other', string[]> = { choices: [], own: [], other: [] };
    for (const { by, conflict, isOwn } of overwritten) {
      const { row, what, mine, theirs } = conflictParts(conflict, nameOf);
      const kind = !isOwn ? 'other' : isShown(by, conflict) ? 'choices' : 'own';
      sentences[kind].push(words.overwritten(row, nameOf(by), what, mine, theirs));
    }
    if (sentences.choices.length > 0) saved.keepChoices(sentences.choices);
    lose(sentences.own);
    warn(sentences.other);
  });
}
