import { MARK_ROOM } from '../../../domain/constants.ts';
import { api, limitReached, storage } from '../../../domain/messages.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { cleanText } from '../../../text/document.ts';
import { settingValues } from '../../../text/edits/value.ts';
import { ChangedMeanwhile } from '../../../text/errors.ts';
import { carrying, changedRows, type Identified, mergingRows, unchangedRows } from '../../../text/identity.ts';
import type { Sliced } from '../../../text/sliced.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { hashText } from '../../common/hash.ts';
import {
  carryingRows,
  carryRows,
  completeIds,
  itemCount,
  lastingIds,
  readerBy,
  readingText,
  readText,
} from '../../common/reading.ts';
import { Refused } from '../../errors/refused.ts';
import { nearestBase } from '../copies/nearest-base.ts';
import { tooLarge } from '../copies/property.ts';
import type { Revision, Version } from '../revisions.ts';
import type { ChangeBase, PreparedChange } from '../types.ts';

/** The base text of a change: a revision, whose row ids are known, or any other text. */
export type Start = Version | { text: string };

/** The text of a base by its hash. Throws `Refused` when the client has to send it. */
export function startOf(
  { epoch, seq, hash, text, rows, orCurrent }: ChangeBase,
  known: ReadonlyMap<string, Start>,
  current: Start,
  statuses: StatusRegistry,
): Start {
  const start = known.get(hash);
  if (start) return start;
  if (orCurrent) return current;
  if (text !== undefined) {
    const clean = cleanText(text).text;
    const ids = rows && lastingIds(rows, clean, statuses);
    return ids ? { epoch, seq, hash, name: '', text: clean, rows: ids } : { text: clean };
  }
  throw new Refused('BASE_UNKNOWN', storage.baseUnknown, 'base');
}

/** Throws `Refused` where a change was to be made on this base only, and the checklist has changed since. */
export function refuseOther({ epoch, seq, hash, exactly }: ChangeBase, current: Version): void {
  const isCurrent = current.epoch === epoch && current.seq === seq && current.hash === hash;
  if (exactly && !isCurrent) throw new Refused('REVISION_CHANGED', api.revisionChanged);
}

/** Throws `Refused` where a change grows the checklist beyond the edition's limit; ticks, deletions and merges are allowed. */
function refuseGrowth(
  limit: number,
  texts: Record<'base' | 'mine' | 'theirs' | 'merged', string>,
  statuses: StatusRegistry,
): void {
  if (limit === Number.POSITIVE_INFINITY) return;
  const of = (which: keyof typeof texts) => itemCount(texts[which], statuses);
  const count = of('merged');
  if (count > limit && count > of('theirs') && of('mine') > of('base')) {
    throw new Refused('LIMIT_REACHED', limitReached.items, 'text');
  }
}

/** Changes that may use the room that texts leave for marks; those of other apps are in the tracker already. */
const mayFill = new Set<PreparedChange['kind']>([
  'setItemStatus',
  'followIssue',
  'bringStatuses',
  'erasePerson',
  'inherited',
  'foreignField',
  'foreignProperty',
]);

/** Throws `Refused` where a revision exceeds the property's capacity, or a text grows into the room for marks. */
function refuseOversize(
  { kind }: PreparedChange,
  current: Version,
  version: Omit<Version, 'hash' | 'rows'>,
  statuses: StatusRegistry,
): void {
  const grows = encodedSize(version.text) > encodedSize(current.text);
  const refusal = tooLarge(version, statuses, grows && !mayFill.has(kind) ? MARK_ROOM : 0);
  if (refusal) throw refusal;
}

/** Merges mine, made of the base, into the newest revision, with the row ids. */
function* joined(
  start: Identified,
  mine: Identified,
  current: Version,
  past: readonly Identified[],
  statuses: StatusRegistry,
): Sliced<Pick<Revision, 'text' | 'rows' | 'conflicts'>> {
  if (mine.text === start.text) return { text: current.text, rows: current.rows, conflicts: [] };
  if (start.text === current.text) return { text: mine.text, rows: [...mine.rows], conflicts: [] };
  for (const { text } of [start, mine, current]) yield* readingText(text, statuses, start.text);
  const merged = yield* mergingRows(start, mine, current, past, readerBy(statuses).read);
  yield;
  const { text } = merged;
  const { rows: read } = yield* readingText(text, statuses, current.text);
  const isComplete = merged.rows.length === read.length;
  const rows = isComplete ? completeIds(merged.rows) : yield* carryingRows(current, text, statuses, [mine]);
  const conflicts = merged.conflicts.map(({ index, before: _, ...conflict }) => ({ ...conflict, rowId: rows[index] }));
  return { text, rows, conflicts };
}

/** The base's text, with the values that the author has not accepted as they were before. */
function* agreedText(text: string, { undecided = [] }: PreparedChange, statuses: StatusRegistry): Sliced<string> {
  if (undecided.length === 0) return text;
  return yield* settingValues(readText(text, statuses), undecided, readerBy(statuses).read);
}

/** A revision, with its author where that is known. */
export type EarlierVersion = Version & Partial<Pick<Revision, 'account'>>;

/** The input of a merge besides the change. */
export interface MergeInput {
  start: Start;
  /** The newest revision. */
  current: Version;
  /** The newest revision and loaded earlier ones, newest first. */
  earlier: readonly EarlierVersion[];
  /** Most items. */
  limit: number;
  statuses: StatusRegistry;
}

/** Whether a text's rows are known by their ids. */
const isIdentified = (start: Start): start is Version =>
  'rows' in start && (start.rows.length > 0 || start.text.trim() === '');

/** The revision that a text equals, or else the most likely base of it. */
function* nearest({ start, current, earlier }: MergeInput): Sliced<Version> {
  if (start.text === current.text) return current;
  if (isIdentified(start)) return start;
  const versions = [current, ...earlier].filter(isIdentified);
  const texts = versions.map(version => version.text);
  const text = yield* nearestBase(start.text, current.text, texts);
  return versions.find(version => version.text === text) ?? current;
}

/**
 * The revision that a change produces, with the given number; `undefined` where it changes nothing. Throws `Refused` and
 * the edit's own errors.
 */
export function* mergeChange(
  account: string,
  change: PreparedChange,
  input: MergeInput,
  { epoch, seq }: Pick<Version, 'epoch' | 'seq'>,
): Sliced<Revision | undefined> {
  const { start, current, earlier, limit, statuses } = input;
  const near = yield* nearest(input);
  yield;
  const rowsOf = () => (near === start ? near.rows : carryRows(near, start.text, statuses, earlier));
  yield* readingText(start.text, statuses);
  const applied = change.apply(start.text, statuses, rowsOf);
  const mine = typeof applied === 'string' ? applied : yield* applied;
  yield;
  const name = change.name ?? current.name;
  if (mine === start.text && name === current.name) return undefined;

  const { rows: mineRows } = yield* readingText(mine, statuses, start.text);
  // A change of the whole text says its rows whatever the base is.
  const whole = change.rows?.([]) ?? [];
  const also = whole.length === mineRows.length ? [{ text: mine, rows: whole }] : [];
  // A text that equals an old one was made of the revision that the base names; one that was shown before an answer came
  // has that revision's number and another hash.
  const at = earlier.findIndex(each =>
    [near, change.base].some(({ epoch, seq }) => each.epoch === epoch && each.seq === seq),
  );
  // A foreign text may hold rows that are newer than its assumed base: its author read them before the write.
  const isForeign = change.kind === 'foreignField' || change.kind === 'foreignProperty';
  // Such a text contains its author's changes before this one, which are in newer revisions, but not others' changes.
  const isOwn = (each: EarlierVersion) => change.base.text !== undefined && each.account === account;
  const past = isForeign
    ? earlier
    : earlier.flatMap((each, index): Identified[] => {
        if (index >= at) return [each];
        return isOwn(each) ? [changedRows(each, earlier[index + 1] ?? near, readerBy(statuses).read)] : [];
      });
  // Rows that the author's page has no ids of yet are those of earlier changes, or are found by what they say.
  const reader = { ...readerBy(statuses), newId: () => '' };
  const startRows =
    near !== start
      ? yield* carryingRows(near, start.text, statuses, [...also, ...earlier])
      : near.rows.every(Boolean)
        ? near.rows
        : yield* carrying(near, start.text, past, reader);
  const from = { text: yield* agreedText(start.text, change, statuses), rows: startRows };
  const same = change.keepsRows && from.rows.length === mineRows.length;
  const ids = same ? from.rows : lastingIds(change.rows?.(from.rows) ?? [], mine, statuses);
  const hasAll = ids?.every(Boolean);
  const carried = hasAll ? [] : yield* carryingRows({ text: start.text, rows: startRows }, mine, statuses, past, ids);
  const to = { text: mine, rows: ids ? completeIds(ids, carried) : carried };
  yield;
  // With a guessed base, rows that equal an earlier state count as unchanged, and all others as changed.
  const isKnown = near === start && !isForeign;
  const before = isKnown ? past : [yield* unchangedRows(to, earlier, readerBy(statuses).read), current];
  yield;
  const { text, rows, conflicts } = yield* joined(from, to, current, before, statuses);
  yield;
  const known = new Set(current.rows);
  if (change.addsNoRows && rows.some(id => !known.has(id))) throw new ChangedMeanwhile();
  refuseGrowth(limit, { base: start.text, mine, theirs: current.text, merged: text }, statuses);
  yield;
  const version = { epoch, seq, hash: hashText(text), name, text, rows };
  refuseOversize(change, current, version, statuses);
  return {
    ...version,
    account,
    client: change.clientId,
    kind: change.log ?? change.kind,
    conflicts,
    uses: change.uses,
  };
}
