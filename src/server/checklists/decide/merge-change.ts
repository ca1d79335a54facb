import { MARK_ROOM } from '../../../domain/constants.ts';
import { api, limitReached, storage } from '../../../domain/messages.ts';
import { encodedSize } from '../../../domain/storage.ts';
import { cleanText } from '../../../text/document.ts';
import { setValues } from '../../../text/edits/value.ts';
import { ChangedMeanwhile } from '../../../text/errors.ts';
import { carry, changedRows, type Identified, type Reader, unchangedRows } from '../../../text/identity.ts';
import { lastSources, mergeRows } from '../../../text/merge-rows.ts';
import type { StatusRegistry } from '../../../text/status-registry.ts';
import { Refused, type RefusedFinding, RefusedText, TooLarge } from '../../errors/refused.ts';
import { hashText } from '../../text-workers/hash.ts';
import { completeIds, itemCount, lastingIds, readText } from '../../text-workers/reading.ts';
import type { ChangeBase } from '../service/types.ts';
import { applyEdit, entryOf, itemToConvert, keepsRowIds, nameOf, rowIdsOf, usesOf } from './edit.ts';
import { newFindings } from './findings.ts';
import { nearestBase } from './nearest-base.ts';
import { excessSize } from './property.ts';
import type { Revision, Version } from './state.ts';
import type { Conversion, Edit, ItemToConvert, Proposal } from './types.ts';

/** The base text of a change: a revision, whose row ids are known, or any other text. */
export type BaseText = Version | { text: string };

/** A revision, with its author if that is known. */
export type EarlierVersion = Version & Partial<Pick<Revision, 'account'>>;

/** The input of a merge besides the proposal. */
export interface MergeInput {
  base: BaseText;
  /** The newest revision. */
  current: Version;
  /** The newest revision and loaded earlier ones, newest first. */
  earlier: readonly EarlierVersion[];
  statuses: StatusRegistry;
  /** Reads texts with these statuses. */
  reader: Reader;
}

/** Finds the text of a base by its hash. Throws `Refused` if the client has to send it. */
export function findBase(
  { epoch, seq, hash, text, rows, orCurrent }: ChangeBase,
  byHash: ReadonlyMap<string, BaseText>,
  current: Version,
  statuses: StatusRegistry,
): BaseText {
  const version = byHash.get(hash);
  if (version) return version;
  if (orCurrent) return current;
  if (text === undefined) throw new Refused('BASE_UNKNOWN', storage.baseUnknown, 'base');
  const clean = cleanText(text).text;
  const ids = rows && lastingIds(rows, clean, statuses);
  return ids ? { epoch, seq, hash, name: '', text: clean, rows: ids } : { text: clean };
}

/** Throws `Refused` if a change was to be made on this base only, and the checklist has changed since. */
export function refuseOtherBase({ epoch, seq, hash, exactly }: ChangeBase, current: Version): void {
  const isCurrent = current.epoch === epoch && current.seq === seq && current.hash === hash;
  if (exactly && !isCurrent) throw new Refused('REVISION_CHANGED', api.revisionChanged);
}

/** Throws `Refused` if a change grows the checklist beyond a number of items. Ticks, deletions and merges are allowed. */
function refuseGrowth(
  maxItems: number,
  texts: Record<'base' | 'mine' | 'theirs' | 'merged', string>,
  statuses: StatusRegistry,
): void {
  if (maxItems === Number.POSITIVE_INFINITY) return;
  const itemsOf = (which: keyof typeof texts) => itemCount(texts[which], statuses);
  const count = itemsOf('merged');
  if (count > maxItems && count > itemsOf('theirs') && itemsOf('mine') > itemsOf('base')) {
    throw new Refused('LIMIT_REACHED', limitReached.items, 'text');
  }
}

/** Edits that may use the room that texts leave for marks. Foreign texts are in the tracker already. */
const mayFill = new Set<Edit['kind']>([
  'setItemStatus',
  'followIssue',
  'bringStatuses',
  'erasePerson',
  'inherited',
  'joinInherited',
  'foreignField',
  'foreignProperty',
]);

/** Throws `TooLarge` if a revision exceeds the property's capacity, or a text grows into the room for marks. */
function refuseOversize(
  { edit, isFirstCopy }: Proposal,
  current: Version,
  version: Omit<Version, 'hash' | 'rows'>,
  statuses: StatusRegistry,
): void {
  if (isFirstCopy) return;
  const grows = encodedSize(version.text) > encodedSize(current.text);
  const size = excessSize(version, statuses, grows && !mayFill.has(edit.kind) ? MARK_ROOM : 0);
  if (size !== undefined) throw new TooLarge(size);
}

/** Whether a text's rows are known by their ids. */
const isIdentified = (base: BaseText): base is Version =>
  'rows' in base && (base.rows.length > 0 || base.text.trim() === '');

/** The revision that the base equals, or else the most likely one that it was made of. */
function nearestVersion({ base, current, earlier }: MergeInput): Version {
  if (base.text === current.text) return current;
  if (isIdentified(base)) return base;
  const versions = [current, ...earlier].filter(isIdentified);
  const texts = versions.map(version => version.text);
  const text = nearestBase({ text: base.text, last: current.text, earlier: texts });
  return versions.find(version => version.text === text) ?? current;
}

/** Finds the item of a conversion whose issue does not exist yet. Throws `Refused` and `ChangedMeanwhile`. */
export function findItem(edit: Conversion, input: MergeInput): ItemToConvert {
  const { base, earlier, reader } = input;
  const near = nearestVersion(input);
  const rows = near === base ? near.rows : carry(near, base.text, earlier, reader);
  return itemToConvert(edit, reader.read(base.text), rows);
}

/** Whether two versions have the same number. */
const isAt = (version: Pick<Version, 'epoch' | 'seq'>, { epoch, seq }: Pick<Version, 'epoch' | 'seq'>): boolean =>
  version.epoch === epoch && version.seq === seq;

/** The base with its rows' ids, and with values that the author has not accepted as they were before. */
function identifiedBase(
  { edit }: Proposal,
  { base, earlier, statuses, reader }: MergeInput,
  near: Version,
  past: readonly Identified[],
  mine: string,
): Identified {
  const { rows: mineRows } = reader.read(mine, base.text);
  // A change of the whole text says its rows whatever the base is.
  const statedIds = rowIdsOf(edit, []) ?? [];
  const statedRows = statedIds.length === mineRows.length ? [{ text: mine, rows: statedIds }] : [];
  // Rows that the author's page has no ids of yet are those of earlier changes, or are found by what they say.
  const rows =
    near !== base
      ? carry(near, base.text, [...statedRows, ...earlier], reader)
      : near.rows.every(Boolean)
        ? near.rows
        : carry(near, base.text, past, { ...reader, newId: () => '' });
  const undecided = edit.kind === 'updateChecklistFromText' ? (edit.undecided ?? []) : [];
  const text = undecided.length === 0 ? base.text : setValues(readText(base.text, statuses), undecided, reader.read);
  return { text, rows };
}

/** The edited text with its rows' ids: as the edit says them, else as they are carried from the base. */
function identifiedMine(
  { edit }: Proposal,
  base: Identified,
  mine: string,
  past: readonly Identified[],
  { statuses, reader }: MergeInput,
): Identified {
  const isKept = keepsRowIds(edit) && base.rows.length === readText(mine, statuses).rows.length;
  const ids = isKept ? base.rows : lastingIds(rowIdsOf(edit, base.rows, reader.read(base.text)) ?? [], mine, statuses);
  const carried = ids?.every(Boolean) ? [] : carry(base, mine, past, reader, ids);
  return { text: mine, rows: ids ? completeIds(ids, reader.newId, carried) : carried };
}

/** Merges mine, made of the base, into the newest revision, with the row ids. */
function mergeVersions(
  base: Identified,
  mine: Identified,
  past: readonly Identified[],
  { current, reader }: MergeInput,
  lastOf: ReadonlyMap<number, string>,
): Pick<Revision, 'text' | 'rows' | 'conflicts'> {
  if (mine.text === base.text) return { text: current.text, rows: current.rows, conflicts: [] };
  if (base.text === current.text) return { text: mine.text, rows: [...mine.rows], conflicts: [] };
  // The base first: of the others only the difference is read then.
  for (const { text } of [base, mine, current]) reader.read(text, base.text);
  const merged = mergeRows(base, mine, current, past, reader.read, lastOf);
  const { text } = merged;
  const { rows: mergedRows } = reader.read(text, current.text);
  const isComplete = merged.rows.length === mergedRows.length;
  const rows = isComplete ? completeIds(merged.rows, reader.newId) : carry(current, text, [mine], reader);
  const conflicts = merged.conflicts.map(({ index, before: _, ...conflict }) => ({ ...conflict, rowId: rows[index] }));
  return { text, rows, conflicts };
}

/** A merged change; without a revision if it changes nothing. */
export interface MergedChange {
  revision: Revision | undefined;
  findings: readonly RefusedFinding[];
}

/**
 * Applies a change to its base and merges it into the newest revision; the new one gets the given number. Throws `Refused`
 * and the errors of edits (text/errors.ts).
 */
export function mergeChange(
  proposal: Proposal,
  input: MergeInput,
  number: Pick<Version, 'epoch' | 'seq'>,
): MergedChange {
  const { account, clientId, edit } = proposal;
  const { base, current, earlier, statuses, reader } = input;
  const near = nearestVersion(input);
  reader.read(base.text);
  const mine = applyEdit(base.text, edit, statuses, 'rows' in base ? base.rows : []);
  const findings = proposal.findings ? newFindings({ before: base.text, after: mine, statuses }) : [];
  if (proposal.findings === 'refuse' && findings.length > 0) throw new RefusedText(api.diagnosed, findings);
  const name = nameOf(edit) ?? current.name;
  if (mine === base.text && name === current.name) return { revision: undefined, findings };

  // A base that equals an old text was made of the revision that it names. One that a page has shown before an answer came
  // has that revision's number and another hash.
  const at = earlier.findIndex(each => isAt(each, near) || isAt(each, proposal.base));
  // A foreign text may hold rows that are newer than its assumed base: its author read them before the write.
  const isForeign = edit.kind === 'foreignField' || edit.kind === 'foreignProperty';
  // A sent base contains its author's changes before this one, which are in newer revisions, but not others' changes.
  const isOwn = (each: EarlierVersion) => proposal.base.text !== undefined && each.account === account;
  const past = isForeign
    ? earlier
    : earlier.flatMap((each, index): Identified[] => {
        if (index >= at) return [each];
        const before = earlier.find(({ epoch, seq }) => epoch === each.epoch && seq === each.seq - 1);
        return before && isOwn(each) ? [changedRows(each, before, reader.read)] : [];
      });
  const from = identifiedBase(proposal, input, near, past, mine);
  const to = identifiedMine(proposal, { text: base.text, rows: from.rows }, mine, past, input);
  // With a guessed base, rows that equal an earlier state count as unchanged, and all others as changed.
  const isKnown = near === base && !isForeign;
  const before = isKnown ? past : [unchangedRows(to, earlier, reader.read), current];
  const lastOf = isKnown ? lastSources(from, to, current, earlier, reader.read) : new Map();
  const { text, rows, conflicts } = mergeVersions(from, to, before, input, lastOf);
  const currentIds = new Set(current.rows);
  if (proposal.addsNoRows && rows.some(id => !currentIds.has(id))) throw new ChangedMeanwhile();
  refuseGrowth(proposal.maxItems, { base: base.text, mine, theirs: current.text, merged: text }, statuses);
  const version = { ...number, hash: hashText(text), name, text, rows };
  refuseOversize(proposal, current, version, statuses);
  const revision = { ...version, account, client: clientId, kind: entryOf(edit), conflicts, uses: usesOf(edit) };
  return { revision, findings };
}
