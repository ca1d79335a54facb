import type { Foreigner, ForeignWrite } from './foreign.ts';
import type { Entry } from './journal.ts';
import { type Acknowledged, type Replay, replay, type Step, type Violation } from './model.ts';
import { effectsOf, PROPERTY_MARK, repeatedIn, rowsOf, sameRow, shown } from './rows.ts';
import type { FieldChange, Revision } from './site.ts';

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
  /** Foreign changes of the field that a write of ours took the place of at once. None of them may be lost. */
  overwritten: number;
  /** Foreign writes of the property that are lost as design.md §4.2 states. */
  lost: ForeignWrite[];
  /** Those that are, to the letter, a revision of ours, which is ours however late it comes. */
  asOurs: ForeignWrite[];
}

export interface Evidence {
  issue: string;
  changes: readonly Acknowledged[];
  foreigner: Pick<Foreigner, 'writes' | 'ranOver'> | undefined;
  /** What happened at the tracker. */
  entries: readonly Entry[];
  fieldChanges: readonly FieldChange[];
  /** What the copies hold in the end. */
  copies: { property: string; field: string };
  /** What the database holds. */
  history: readonly Revision[];
}

/** Everything that must hold of an issue when all is quiet: the database has it all, and the copies say the same. */
export function check(evidence: Evidence): Checked {
  const { issue, changes, fieldChanges, copies, history } = evidence;
  const violations: Violation[] = checkHistory(issue, history, changes);
  const tell = (what: string, story: string) => violations.push({ what, issue, story });
  const newest = history.reduce<Revision | undefined>((a, b) => (a && a.seq > b.seq ? a : b), undefined);
  const text = newest?.text ?? '';
  for (const [name, copy] of Object.entries(copies)) {
    if (settled(copy) !== settled(text)) tell(`the ${name} is not the newest revision`, differenceOf(copy, text));
  }
  for (const number of repeatedIn(text)) tell('a row is there twice', `row ${number}`);

  const replayed = replay(issue, stepsOf(evidence));
  violations.push(...replayed.violations);
  violations.push(...checkFieldChanges(issue, history, foreignChanges(evidence)));
  const missing = missingWrites(evidence);
  const texts = new Set(history.map(revision => revision.text));
  // Also by what the same writer made of it before we read it.
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
  const lost = missing.filter(write => !isOurs(write) && isStated(write, evidence.entries));
  for (const write of missing) {
    if (asOurs.includes(write) || lost.includes(write)) continue;
    const story = `row ${write.number} is not ${shown(write.row)}; ${traceOf(write, evidence.entries)}`;
    tell('a foreign write of the property is lost', story);
  }
  return { violations, replay: replayed, overwritten: overwrittenBy(fieldChanges, history), lost, asOurs };
}

/** The lines that only one of two texts has, a few of each. */
export function differenceOf(one: string, other: string): string {
  const [a, b] = [settled(one).split('\n'), settled(other).split('\n')];
  const only = (these: string[], those: string[]) => these.filter(line => !those.includes(line)).slice(0, 3);
  return `only in it: ${JSON.stringify(only(a, b))}, missing in it: ${JSON.stringify(only(b, a))}`;
}

/** The client id of a revision that took up an entry of the changelog. */
const taken = /^foreign (\d+)$/;
const entryOf = ({ client }: Revision): number | undefined => Number(taken.exec(client)?.[1]) || undefined;

/** The whole history as steps of the model: who made what of which base. */
function stepsOf({ issue, changes, foreigner, fieldChanges, history }: Evidence): Step[] {
  const told = new Map(changes.map(change => [change.clientId, change]));
  const entries = new Map(fieldChanges.map(change => [change.id, change]));
  const sorted = [...history].sort((a, b) => a.seq - b.seq);
  return sorted.map((revision, index): Step => {
    const { client, account, kind, seq, text, conflicts } = revision;
    const change = told.get(client);
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

/** The foreign changes of the field since we write it: those that changed more than blanks, and did not empty it. */
function foreignChanges({ fieldChanges, history, changes }: Evidence): FieldChange[] {
  const told = new Set(changes.map(({ clientId }) => clientId));
  const begun = history.find(({ client }) => told.has(client))?.created.getTime() ?? Number.POSITIVE_INFINITY;
  return fieldChanges.filter(
    ({ id, author, from, to }) => id > begun && !isOwn(author) && to.trim() !== '' && settled(from) !== settled(to),
  );
}

const isOwn = (author: string): boolean => author.startsWith('addon:');

/** Each foreign change of the field is a revision of its own author, once; each such revision is such a change. */
function checkFieldChanges(issue: string, history: readonly Revision[], foreign: readonly FieldChange[]): Violation[] {
  const violations: Violation[] = [];
  const tell = (what: string, story: string) => violations.push({ what, issue, story });
  for (const { id, author, from, to } of foreign) {
    const found = history.filter(revision => entryOf(revision) === id);
    const what = `${differenceOf(to, from)}, at ${new Date(id).toISOString()}`;
    if (found.length === 0) tell('a foreign change of the field is lost', what);
    if (found.length > 1) tell('a foreign change of the field is taken up twice', what);
    const other = found.find(({ account }) => account !== author);
    if (other) tell('a foreign change has another author', `${other.account} instead of ${author}`);
  }
  const [first] = foreign;
  const guessed = history.filter(
    ({ kind, client, created }) =>
      kind === 'foreignField' && !taken.test(client) && first && created.getTime() > first.id,
  );
  for (const { seq } of guessed) tell('a foreign change of the field is not from the changelog', `revision ${seq}`);
  return violations;
}

/** How many foreign changes of the field ours took the place of before they were taken up. */
function overwrittenBy(fieldChanges: readonly FieldChange[], history: readonly Revision[]): number {
  const created = new Map(history.map(revision => [entryOf(revision), revision.created.getTime()]));
  return fieldChanges.filter(({ id, author }, index) => {
    const next = fieldChanges[index + 1];
    return !isOwn(author) && next && isOwn(next.author) && (created.get(id) ?? 0) > next.id;
  }).length;
}

/**
 * The last foreign write of each row of the property that no later foreign revision has. Where we read what a row was
 * before and what it is again, but nothing between, there was no change.
 */
function missingWrites({ issue, foreigner, entries, history }: Evidence): ForeignWrite[] {
  const writes = (foreigner?.writes ?? []).filter(write => write.issue === issue && write.storage === 'property');
  const last = new Map(writes.map(write => [write.number, write]));
  const newest = history.at(-1)?.text ?? '';
  /** What the row was when we saw the property last before a write. */
  const rowSeen = ({ number, time }: ForeignWrite) => {
    const seen = entries.findLast(entry => isSight(entry) && entry.served < time)?.served ?? 0;
    return rowsOf(writes.find(write => write.time > seen)?.before ?? '').get(number);
  };
  return [...last.values()].filter(write => {
    const { number, row, time } = write;
    if (sameRow(rowSeen(write), row)) return false;
    const later = history.filter(({ kind, created }) => kind === 'foreignProperty' && created.getTime() > time - SKEW);
    const texts = [newest, ...later.map(({ text }) => text)];
    return !texts.some(text => sameRow(rowsOf(text).get(number), row));
  });
}

/** We know what the property holds. */
const isSight = (entry: Entry): boolean =>
  entry.did === 'read' || (entry.did === 'write' && entry.by === 'addon' && entry.storage === 'property');

/** Milliseconds between a write and our clock's reading of it. */
const SKEW = 100;
/** Milliseconds that a call may wait for its turn and for its answer, after it was decided on. */
const CALL = 8_000;

/**
 * Whether a foreign write of the property is lost as design.md §4.2 states: a plain write of ours took its place, and when
 * that was decided on, neither an event nor a read had told of this or of any earlier foreign write.
 */
export function isStated({ time }: Pick<ForeignWrite, 'time'>, entries: readonly Entry[]): boolean {
  const over = entries.find(
    entry => entry.did === 'write' && entry.by === 'addon' && entry.storage === 'property' && entry.served > time,
  );
  if (over?.did !== 'write') return false;
  const decided = over.arrived - CALL;
  return !entries.some(
    entry => entry.served < decided && (entry.did === 'told' || (entry.did === 'read' && entry.served > time)),
  );
}

/** What happened around a write. */
function traceOf({ time, number }: ForeignWrite, entries: readonly Entry[]): string {
  const near = entries.filter(({ served }) => served > time - 3_000 && served < time + 15_000).slice(0, 25);
  const lines = near.map(entry => {
    const at = `${Math.round(entry.served - time)} ms`;
    if (entry.did !== 'write') return `${at} ${entry.did}`;
    const late = entry.served - entry.arrived > 300 ? ' late' : '';
    return `${at}${late} ${entry.by} writes the ${entry.storage}: ${shown(rowsOf(entry.text).get(number))}`;
  });
  return `trace: ${lines.join(' | ')}`;
}

/** What the history must be: each acknowledged change once, in order, as it was answered. */
export function checkHistory(
  issue: string,
  history: readonly Revision[],
  changes: readonly Acknowledged[],
): Violation[] {
  const violations: Violation[] = [];
  const tell = (what: string, story: string) => violations.push({ what, issue, story });
  const byPlace = new Map(history.map(revision => [`${revision.epoch} ${revision.seq}`, revision]));
  if (byPlace.size !== history.length)
    tell('history: a number is given twice', `${history.length - byPlace.size} times`);
  for (const { epoch, seq, text, mutation, who, clientId, base, mine } of changes) {
    const isEmpty = effectsOf(rowsOf(base.text), rowsOf(mine)).length === 0;
    const revision = byPlace.get(`${epoch} ${seq}`);
    const named = `${who}'s ${mutation}, revision ${seq}`;
    if (!revision) tell('history: an acknowledged revision is missing', named);
    else if (revision.text !== text) tell('history: a revision is not what was answered', named);
    else if (revision.client !== clientId && !isEmpty) tell('history: an acknowledged change has no revision', named);
  }
  history.forEach((revision, index) => {
    const before = history[index - 1];
    if (before && before.epoch === revision.epoch && before.seq >= revision.seq) {
      tell('history: out of order', `revision ${revision.seq} follows ${before.seq}`);
    }
  });
  const gaps = history.filter((revision, index) => index > 0 && revision.seq !== (history[index - 1]?.seq ?? 0) + 1);
  for (const { seq } of gaps) tell('history: a number is left out', `before revision ${seq}`);
  const told = new Set(changes.map(({ clientId }) => clientId));
  const untold = history.filter(({ client }) => isClientId.test(client) && !told.has(client));
  for (const { seq, kind } of untold) tell('history: a change that no client was told of', `${kind}, revision ${seq}`);
  return violations;
}

/** As our clients make theirs. */
const isClientId = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/;
