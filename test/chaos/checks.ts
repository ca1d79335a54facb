import type { Foreigner, ForeignWrite } from './foreign.ts';
import type { Entry } from './journal.ts';
import { type Acknowledged, type Replay, replay, type Step, type Violation } from './model.ts';
import { effectsOf, PROPERTY_MARK, repeatedIn, rowsOf, sameRow, shown } from './rows.ts';
import type { FieldChange, Revision } from './site.ts';

/** A text as the field stores it: without blanks at the ends of lines and blank lines at its own ends. */
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
  /** Foreign changes of the field that an own write overwrote at once. None of them may be lost. */
  overwritten: number;
  /** Foreign writes of the property that are lost as docs/storage.md states. */
  lost: ForeignWrite[];
  /** Writes equal to an own revision, which count as the app's. */
  asOurs: ForeignWrite[];
}

export interface Evidence {
  issue: string;
  changes: readonly Acknowledged[];
  foreigner: Pick<Foreigner, 'writes' | 'ranOver'> | undefined;
  /** Events at the tracker. */
  entries: readonly Entry[];
  fieldChanges: readonly FieldChange[];
  /** The copies at the end. */
  copies: { property: string; field: string };
  /** The revisions in the database. */
  history: readonly Revision[];
  kills: readonly Kill[];
}

/** All invariants of an issue in the idle state: the database is complete, and the copies are equal to it. */
export function check(all: Evidence): Checked {
  // The app does not know what it read where the answer was lost.
  const evidence = { ...all, entries: all.entries.filter(entry => !(entry.did === 'read' && entry.isLost)) };
  const { issue, changes, fieldChanges, copies, history } = evidence;
  const violations: Violation[] = checkHistory(issue, history, changes);
  const report = (what: string, detail: string) => violations.push({ what, issue, detail });
  const newest = history.reduce<Revision | undefined>((a, b) => (a && a.seq > b.seq ? a : b), undefined);
  const text = newest?.text ?? '';
  for (const [name, copy] of Object.entries(copies)) {
    if (settled(copy) !== settled(text)) report(`the ${name} is not the newest revision`, differenceOf(copy, text));
  }
  for (const number of repeatedIn(text)) report('a row is there twice', `row ${number}`);

  const replayed = replay(issue, stepsOf(evidence));
  violations.push(...replayed.violations);
  violations.push(...checkFieldChanges(issue, history, foreignChanges(evidence)));
  const missing = missingWrites(evidence);
  const texts = new Set(history.map(revision => revision.text));
  // Also what the same writer made of it before it was read.
  const isOurs = ({ number, row, time }: ForeignWrite) =>
    evidence.foreigner?.writes.some(
      later =>
        later.issue === issue &&
        later.storage === 'property' &&
        later.time >= time &&
        texts.has(later.text) &&
        sameRow(rowsOf(later.text).get(number), row),
    ) === true;
  const asOurs = missing.filter(isOurs);
  const isAllowed = (write: ForeignWrite) =>
    isStated(write, evidence.entries) || isRepeated(write, evidence.foreigner?.writes ?? [], evidence.entries);
  const lost = missing.filter(write => !isOurs(write) && isAllowed(write));
  for (const write of missing) {
    if (asOurs.includes(write) || lost.includes(write)) continue;
    const detail = `row ${write.number} is not ${shown(write.row)}; ${traceOf(write, evidence.entries)}`;
    report('a foreign write of the property is lost', detail);
  }
  return { violations, replay: replayed, overwritten: overwrittenBy(fieldChanges, history), lost, asOurs };
}

/** The lines that only one of two texts has, a few of each. */
export function differenceOf(one: string, other: string): string {
  const [a, b] = [settled(one).split('\n'), settled(other).split('\n')];
  const only = (these: string[], those: string[]) => these.filter(line => !those.includes(line)).slice(0, 3);
  return `only in it: ${JSON.stringify(only(a, b))}, missing in it: ${JSON.stringify(only(b, a))}`;
}

/** The client id of a revision made from an entry of the changelog. */
const taken = /^foreign (\d+)$/;
const entryOf = ({ client }: Revision): number | undefined => Number(taken.exec(client)?.[1]) || undefined;

/** The whole history as steps of the model: author and base of each revision. */
function stepsOf({ issue, changes, foreigner, fieldChanges, history }: Evidence): Step[] {
  const byClientId = new Map(changes.map(change => [change.clientId, change]));
  const entries = new Map(fieldChanges.map(change => [change.id, change]));
  const sorted = [...history].sort((a, b) => a.seq - b.seq);
  return sorted.map((revision, index): Step => {
    const { client, account, kind, seq, text, conflicts } = revision;
    const change = byClientId.get(client);
    if (change) return { ...change, seq, text };
    const before = sorted[index - 1]?.text ?? '';
    const step = { who: account, mutation: kind, seq, text, conflicts };
    const entry = entries.get(entryOf(revision) ?? 0);
    if (entry) return { ...step, base: { text: entry.from }, mine: entry.to };
    if (kind !== 'foreignProperty') return { ...step, base: { text: before }, mine: text };
    const ranOver = foreigner?.ranOver.get(issue);
    const isOpen = (number: string) => number.startsWith(PROPERTY_MARK) || ranOver?.has(number) === true;
    return { ...step, base: { text: before }, mine: before, isOpen };
  });
}

/** The foreign changes of the field since the app writes it, without those of blanks only or to an empty text. */
function foreignChanges({ fieldChanges, history, changes }: Evidence): FieldChange[] {
  const answered = new Set(changes.map(({ clientId }) => clientId));
  const begun = history.find(({ client }) => answered.has(client))?.created.getTime() ?? Number.POSITIVE_INFINITY;
  return fieldChanges.filter(
    ({ id, author, from, to }) => id > begun && !isOwn(author) && to.trim() !== '' && settled(from) !== settled(to),
  );
}

const isOwn = (author: string): boolean => author.startsWith('addon:');

/** Each foreign change of the field is a revision of its own author, once; each such revision is such a change. */
function checkFieldChanges(issue: string, history: readonly Revision[], foreign: readonly FieldChange[]): Violation[] {
  const violations: Violation[] = [];
  const report = (what: string, detail: string) => violations.push({ what, issue, detail });
  for (const { id, author, from, to } of foreign) {
    const found = history.filter(revision => entryOf(revision) === id);
    const what = `${differenceOf(to, from)}, at ${new Date(id).toISOString()}`;
    if (found.length === 0) report('a foreign change of the field is lost', what);
    if (found.length > 1) report('a foreign change of the field is taken up twice', what);
    const other = found.find(({ account }) => account !== author);
    if (other) report('a foreign change has another author', `${other.account} instead of ${author}`);
  }
  const [first] = foreign;
  const guessed = history.filter(
    ({ kind, client, created }) =>
      kind === 'foreignField' && !taken.test(client) && first && created.getTime() > first.id,
  );
  for (const { seq } of guessed) report('a foreign change of the field is not from the changelog', `revision ${seq}`);
  return violations;
}

/** The number of foreign changes of the field that an own write overwrote before they were read. */
function overwrittenBy(fieldChanges: readonly FieldChange[], history: readonly Revision[]): number {
  const created = new Map(history.map(revision => [entryOf(revision), revision.created.getTime()]));
  return fieldChanges.filter(({ id, author }, index) => {
    const next = fieldChanges[index + 1];
    return !isOwn(author) && next && isOwn(next.author) && (created.get(id) ?? 0) > next.id;
  }).length;
}

/**
 * The last foreign write of each row of the property that is missing in later foreign revisions. A change reverted
 * between two reads counts as none, a deletion gives way to a change of the row since the read before it, and a row that
 * was removed stays removed in a value that has it as it was.
 */
function missingWrites({ issue, foreigner, entries, history, kills }: Evidence): ForeignWrite[] {
  const writes = (foreigner?.writes ?? []).filter(write => write.issue === issue && write.storage === 'property');
  const last = new Map(writes.map(write => [write.number, write]));
  const newest = history.at(-1)?.text ?? '';
  const isRecorded = ({ served }: Entry) => !kills.some(({ from, to }) => to >= served && from < served + RECORD);
  /** When the property was last read before a write; each possible time where a kill left a read unrecorded. */
  const readsBefore = ({ time }: ForeignWrite) => {
    const reads = entries.filter(entry => isRead(entry) && entry.served < time);
    const from = Math.max(0, reads.findLastIndex(isRecorded));
    return reads.length === 0 ? [0] : reads.slice(from).map(({ served }) => served);
  };
  const rowAt = (number: string, read: number) =>
    rowsOf(writes.find(write => write.time > read)?.before ?? '').get(number);
  /** Whether the row was changed since a read. */
  const isChangedSince = (number: string, read: number) =>
    history.some(({ created, text }) => {
      const row = created.getTime() > read ? rowsOf(text).get(number) : undefined;
      return row !== undefined && !sameRow(row, rowAt(number, read));
    });
  /** The row's last state, where it is removed at that time. */
  const removedBefore = (number: string, time: number) => {
    const states = history
      .filter(({ created }) => created.getTime() < time)
      .map(({ text }) => rowsOf(text).get(number));
    return states.at(-1) === undefined ? states.findLast(state => state !== undefined) : undefined;
  };
  return [...last.values()].filter(write => {
    const { number, row, time } = write;
    const reads = readsBefore(write);
    if (reads.some(read => sameRow(rowAt(number, read), row))) return false;
    if (!row && reads.some(read => isChangedSince(number, read))) return false;
    if (row && sameRow(removedBefore(number, time), row)) return false;
    const later = history.filter(({ kind, created }) => kind === 'foreignProperty' && created.getTime() > time - SKEW);
    const texts = [newest, ...later.map(({ text }) => text)];
    return !texts.some(text => sameRow(rowsOf(text).get(number), row));
  });
}

/** Whether the app knows the property's value after this entry. */
const isRead = (entry: Entry): boolean =>
  entry.did === 'read' || (entry.did === 'write' && entry.by === 'addon' && entry.storage === 'property');

/** A kill of a process: between its signal and its observed end, in milliseconds since the epoch. */
export interface Kill {
  from: number;
  to: number;
}

/** Milliseconds after a read in which a kill may come before its record. */
const RECORD = 1_000;
/** Milliseconds of clock difference between a write and its record. */
const SKEW = 100;
/** Milliseconds that a call may take in queue and on its way after the decision to make it. */
const CALL = 8_000;

/**
 * Whether a lost foreign write of the property is permitted by docs/storage.md: a plain own write overwrote it, decided
 * before an event or a read showed this or any earlier foreign write.
 */
export function isStated({ time }: Pick<ForeignWrite, 'time'>, entries: readonly Entry[]): boolean {
  const over = entries.find(
    entry => entry.did === 'write' && entry.by === 'addon' && entry.storage === 'property' && entry.served > time,
  );
  if (over?.did !== 'write') return false;
  const decided = over.arrived - CALL;
  return !entries.some(
    entry => entry.served < decided && (entry.did === 'notified' || (entry.did === 'read' && entry.served > time)),
  );
}

/**
 * Whether a lost foreign write of the property put back a value of before, which a compare-and-set that was begun in
 * between and took effect later took for the one it knew (docs/storage.md).
 */
export function isRepeated(
  { issue, storage, text, time }: ForeignWrite,
  writes: readonly ForeignWrite[],
  entries: readonly Entry[],
): boolean {
  const before = writes.findLast(
    write => write.issue === issue && write.storage === storage && write.time < time && write.text === text,
  );
  const isBetween = ({ did, served }: Entry) => did === 'swap' && before && served > before.time && served < time;
  return entries.some(entry => isBetween(entry) && entry.served > time - CALL);
}

/** The entries around a write. */
function traceOf({ time, number }: ForeignWrite, entries: readonly Entry[]): string {
  const near = entries.filter(({ served }) => served > time - 3_000 && served < time + 15_000).slice(0, 25);
  const lines = near.map(entry => {
    const at = `${Math.round(entry.served - time)} ms`;
    if (entry.did !== 'write') return `${at} ${entry.did}`;
    const delay = entry.served - entry.arrived > 300 ? ' delay' : '';
    return `${at}${delay} ${entry.by} writes the ${entry.storage}: ${shown(rowsOf(entry.text).get(number))}`;
  });
  return `trace: ${lines.join(' | ')}`;
}

/** Checks the history: each acknowledged change once, in order, with the acknowledged text. */
export function checkHistory(
  issue: string,
  history: readonly Revision[],
  changes: readonly Acknowledged[],
): Violation[] {
  const violations: Violation[] = [];
  const report = (what: string, detail: string) => violations.push({ what, issue, detail });
  const byPlace = new Map(history.map(revision => [`${revision.epoch} ${revision.seq}`, revision]));
  if (byPlace.size !== history.length)
    report('history: a number is given twice', `${history.length - byPlace.size} times`);
  for (const { epoch, seq, text, mutation, who, clientId, base, mine } of changes) {
    const isEmpty = effectsOf(rowsOf(base.text), rowsOf(mine)).length === 0;
    const revision = byPlace.get(`${epoch} ${seq}`);
    const named = `${who}'s ${mutation}, revision ${seq}`;
    if (!revision) report('history: an acknowledged revision is missing', named);
    else if (revision.text !== text) report('history: a revision is not what was answered', named);
    else if (revision.client !== clientId && !isEmpty) report('history: an acknowledged change has no revision', named);
  }
  history.forEach((revision, index) => {
    const before = history[index - 1];
    if (before && before.epoch === revision.epoch && before.seq >= revision.seq) {
      report('history: out of order', `revision ${revision.seq} follows ${before.seq}`);
    }
  });
  const gaps = history.filter((revision, index) => index > 0 && revision.seq !== (history[index - 1]?.seq ?? 0) + 1);
  for (const { seq } of gaps) report('history: a number is left out', `before revision ${seq}`);
  const answered = new Set(changes.map(({ clientId }) => clientId));
  const unanswered = history.filter(({ client }) => isClientId.test(client) && !answered.has(client));
  for (const { seq, kind } of unanswered)
    report('history: a change that no client was told of', `${kind}, revision ${seq}`);
  return violations;
}

/** The format of client ids of the app's frames. */
const isClientId = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/;
