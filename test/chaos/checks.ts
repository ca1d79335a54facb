import type { Foreigner, ForeignWrite } from './foreign.ts';
import { isAsOfOlder, type OwnWrite, overrun, ownWrites } from './gap.ts';
import type { Entry, Journal, Storage } from './journal.ts';
import { type Acknowledged, type Replay, replay, type Violation } from './model.ts';
import { isForeign, type Rows, repeatedIn, rowsOf, sameRow, shown } from './rows.ts';
import type { Revision } from './site.ts';

/** Two texts are one to a field that drops blanks at the ends of lines and blank lines at its own. */
export const settled = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

export interface Checked {
  violations: Violation[];
  replay: Replay;
  /** Writes of ours, by from which reading they were made. */
  made: readonly OwnWrite[];
  /** Foreign writes that ours took the place of without having seen them. */
  overrun: ForeignWrite[];
  /** Those of them that are lost for good: a stated limit. */
  lostInGap: ForeignWrite[];
  /** Foreign writes that were taken for what somebody made of an older text: the other one. */
  asOfOlder: ForeignWrite[];
}

interface Evidence {
  issue: string;
  changes: readonly Acknowledged[];
  foreigner: Foreigner | undefined;
  journal: Journal;
  /** What our own database holds. */
  history: readonly Revision[];
}

/** Everything that must hold of an issue when all is quiet. */
export function check(evidence: Evidence): Checked {
  const { issue, changes, foreigner, journal, history } = evidence;
  const replayed = replay(issue, changes, foreigner?.ranOver.get(issue) ?? new Set());
  const violations = [...replayed.violations];
  const tell = (what: string, story: string) => violations.push({ what, issue, story });
  const [property = '', field = ''] = [journal.text(issue, 'property'), journal.text(issue, 'field')];

  if (settled(property) !== settled(field)) {
    tell('property and field differ', differenceOf(property, field));
  }
  for (const number of repeatedIn(property)) tell('a row is there twice', `row ${number}`);
  const last = changes.reduce<Acknowledged | undefined>((a, b) => (a && a.seq > b.seq ? a : b), undefined);
  const rows = rowsOf(property);
  for (const number of new Set([...rows.keys(), ...replayed.rows.keys()])) {
    if (isForeign(number) || foreigner?.ranOver.get(issue)?.has(number)) continue;
    const [expected, actual] = [replayed.rows.get(number), rows.get(number)];
    if (sameRow(expected, actual)) continue;
    tell(
      'the property lacks a change',
      `row ${number} is ${shown(actual)} instead of ${shown(expected)}; last revision acknowledged: ${last?.seq}`,
    );
  }
  const entries = journal.of(issue);
  const made = ownWrites(entries);
  const foreign = (foreigner?.writes ?? []).filter(write => write.issue === issue);
  const unseen = foreign.filter(write => overrun(write, made));
  const lost = lostForeignWrites(foreign, rows, replayed.overruled);
  const asOfOlder = lost.filter(write => !unseen.includes(write) && isAsOfOlder(write, entries));
  for (const write of lost) {
    if (unseen.includes(write) || asOfOlder.includes(write) || gaveWay(write, entries, made, history)) continue;
    const { number, storage, row } = write;
    const before = stoodBefore(write, journal) ? '; we had written that very text there before' : '';
    const story = `row ${number} of the ${storage} is ${shown(rows.get(number))} instead of ${shown(row)}${before}; ${traceOf(write, journal)}`;
    tell('a foreign write is lost', story);
  }
  const lostInGap = lost.filter(write => unseen.includes(write));
  return { violations, replay: replayed, made, overrun: unseen, lostInGap, asOfOlder };
}

/** The lines that only one of them has, a few of each. */
export function differenceOf(property: string, field: string): string {
  const [a, b] = [settled(property).split('\n'), settled(field).split('\n')];
  const only = (these: string[], those: string[]) => these.filter(line => !those.includes(line)).slice(0, 3);
  return `only in the property: ${JSON.stringify(only(a, b))}, only in the field: ${JSON.stringify(only(b, a))}`;
}

/** The last foreign write of each row, where the row is now otherwise. */
function lostForeignWrites(writes: readonly ForeignWrite[], rows: Rows, overruled: ReadonlySet<string>) {
  const last = new Map(writes.map(write => [write.number, write]));
  return [...last.values()].filter(({ number, row }) => !overruled.has(number) && !sameRow(rows.get(number), row));
}

/**
 * Whether the write was found in the field of an issue that had a property already when we first came there: that goes
 * first (spec §3), and what the field said otherwise is kept in the history. So it is where somebody wrote later what we
 * had found there, and we never saw anything else of that row.
 */
function gaveWay(
  { storage, at, number, row }: ForeignWrite,
  entries: readonly Entry[],
  made: readonly OwnWrite[],
  history: readonly Revision[],
) {
  const [first] = made;
  if (storage !== 'field' || !first) return false;
  const sawOther = entries.slice(0, at).some((entry, index) => {
    if (index <= first.read || entry.did !== 'read' || entry.reader !== 'turn') return false;
    const there = entries.slice(0, index).findLast(before => before.did === 'write' && before.storage === 'field');
    return !sameRow(there && 'text' in there ? rowsOf(there.text).get(number) : undefined, row);
  });
  const [start] = history;
  return !sawOther && start?.kind === 'foreignField' && sameRow(rowsOf(start.text).get(number), row);
}

/** What the tracker did from shortly before a write on, and what of its row stood there then, as far as it matters. */
function traceOf({ issue, number, at }: ForeignWrite, journal: Journal): string {
  const start = journal.of(issue)[at]?.served ?? 0;
  const lines = journal
    .of(issue)
    .slice(Math.max(0, at - 3), at + 12)
    .map(entry => {
      const time = `${Math.round(entry.served - start)} ms${entry.served - entry.arrived > 300 ? ' late' : ''}`;
      const what =
        entry.did === 'read' ? 'reads' : `writes the ${entry.storage}: ${shown(rowsOf(entry.text).get(number))}`;
      return [time, entry.by, entry.reader, entry.process, what].filter(Boolean).join(' ');
    });
  return `trace: ${lines.join(' | ')}`;
}

/** Whether what was written is, to the character, what the add-on had written there at some time before. */
function stoodBefore({ issue, storage, at }: ForeignWrite, journal: Journal): boolean {
  const entries = journal.of(issue);
  const written = entries[at];
  if (written?.did !== 'write') return false;
  return entries
    .slice(0, at)
    .some(entry => isWriteOf(entry, storage) && 'text' in entry && entry.text === written.text);
}

const isWriteOf = (entry: ReturnType<Journal['of']>[number], storage: Storage) =>
  entry.by === 'addon' && entry.did === 'write' && entry.storage === storage;

/** What the add-on's own history must be: each acknowledged change once, in order, up to the text that is stored. */
export function checkHistory(
  issue: string,
  history: readonly Revision[],
  changes: readonly Acknowledged[],
  property: string,
): Violation[] {
  const violations: Violation[] = [];
  const tell = (what: string, story: string) => violations.push({ what, issue, story });
  const byPlace = new Map(history.map(revision => [`${revision.epoch} ${revision.seq}`, revision]));
  if (byPlace.size !== history.length)
    tell('history: a number is given twice', `${history.length - byPlace.size} times`);
  for (const { epoch, seq, text, mutation, who } of changes) {
    const revision = byPlace.get(`${epoch} ${seq}`);
    if (!revision) tell('history: an acknowledged revision is missing', `${who}'s ${mutation}, revision ${seq}`);
    else if (revision.text !== text)
      tell('history: a revision is not what was answered', `${who}'s ${mutation}, revision ${seq}`);
  }
  history.forEach((revision, index) => {
    const before = history[index - 1];
    if (before && before.epoch === revision.epoch && before.seq >= revision.seq) {
      tell('history: out of order', `revision ${revision.seq} follows ${before.seq}`);
    }
  });
  const last = history.at(-1);
  if (last && last.text !== property) {
    tell('history: the last revision is not the property', differenceOf(property, last.text));
  }
  const told = new Set(changes.map(({ clientId }) => clientId));
  const untold = history.filter(({ client }) => isClientId.test(client) && !told.has(client));
  for (const { seq, kind } of untold) tell('history: a change that nobody was told of', `${kind}, revision ${seq}`);
  return violations;
}

/** As our clients make theirs. */
const isClientId = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/;
