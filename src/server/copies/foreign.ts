import { randomUUID } from 'node:crypto';
import { OUTSIDE_ACCOUNT } from '../../domain/person.ts';
import type { StoredChecklist } from '../../domain/storage.ts';
import { baseSearch, explainingBase } from '../checklists/decide/nearest-base.ts';
import { noPosition, type Version } from '../checklists/decide/state.ts';
import type { Proposal } from '../checklists/decide/types.ts';
import { type FieldText, isPlain } from '../checklists/read/revisions.ts';
import { sameField } from '../checklists/read/stored.ts';
import type { ChangeBase } from '../checklists/service/types.ts';
import type { ChangelogEntry } from '../platform/tracker/changelog.ts';
import { hashText } from '../text-workers/hash.ts';
import type { RunTask } from '../text-workers/task.ts';
import { fieldMark } from './field.ts';
import type { ForeignValue } from './state.ts';

/** The stored revisions and values with which a tracker's copy is compared. */
export interface KnownRevisions {
  /** The newest revision. */
  last: Version;
  /** The revision that the property was last confirmed to hold. */
  confirmed: Version | undefined;
  /** The revision whose number the property bears. */
  stamped: Version | undefined;
  /** The property has a number of this epoch that this database did not give, or gave to another revision later. */
  isLost: boolean;
  /** The revision of a running write, or of one without an answer. */
  pending: Version | undefined;
  /** The foreign value of the property at the last read; already applied. */
  seen: ForeignValue | undefined;
  /** The newest revision before the watch: the common one of this database and the one before a restored backup. */
  shared: Version | undefined;
  /** The latest revisions, newest first. */
  recent: readonly Version[];
  /** Of all revisions the one with the most of the property's lines, if nothing else says what its author has read. */
  explaining: Version | undefined;
}

/** The result of reading the property. */
export interface Finding {
  /** Foreign changes, oldest first. */
  proposals: Proposal[];
  /** The property's name and text, if it is a checklist. */
  says?: { name: string; text: string };
  /** The revision that the property holds. */
  holds?: Version | undefined;
  /** The foreign value that the property holds. */
  seen?: ForeignValue | undefined;
  /** Whether it is a foreign write. */
  isForeign: boolean;
  /** New revisions get higher numbers than this. */
  floor: number;
}

const baseOf = (from: Version | { text: string }): ChangeBase => ({
  epoch: '',
  seq: 0,
  ...('epoch' in from && { epoch: from.epoch, seq: from.seq }),
  hash: hashText(from.text),
  text: from.text,
});

interface Foreign {
  kind: 'foreignProperty' | 'foreignField' | 'inherited';
  from: Version | NamedText | { text: string };
  to: { text: string; name?: string | undefined };
  account: string | undefined;
  /** The id of the changelog entry, so that it is applied once. */
  entry?: number;
}

/** The proposal of a foreign change, with its exact text and base. The app's limits do not apply. */
export const proposalOf = ({ kind, from, to, account, entry }: Foreign): Proposal => ({
  account: account || OUTSIDE_ACCOUNT,
  // With a space, which no client's id has.
  clientId: `foreign ${entry ?? randomUUID()}`,
  base: baseOf(from),
  edit: { kind, text: to.text, name: to.name },
  maxItems: Number.POSITIVE_INFINITY,
});

/** A checklist's name and text. */
type NamedText = Pick<Version, 'name' | 'text'>;

export const isSameContent = (one: NamedText | undefined, { name, text }: NamedText): boolean =>
  one?.text === text && one.name === name;

/**
 * Reads the property: one of the app's revisions, however late it was written, or a foreign change. The base of a foreign
 * change is the earlier read value with its stamp, else the revision that its stamp names, else the last read or confirmed
 * value, or a revision that has more of its lines, however old. A value with a lost number was written by the app before a backup was restored. The base of a
 * value without a stamp is guessed only if nothing was ever confirmed, or a write has no answer yet.
 */
export async function readProperty(
  run: RunTask,
  property: StoredChecklist,
  { last, confirmed, stamped, isLost, pending, seen, shared, recent, explaining: old }: KnownRevisions,
  account: string | undefined,
): Promise<Finding> {
  const nothing: Finding = { proposals: [], isForeign: property.kind === 'foreign', floor: 0 };
  if (property.kind === 'absent' || property.kind === 'foreign') return nothing;
  const to = { name: property.kind === 'ours' ? property.name : last.name, text: property.text };
  const holds = [stamped, last, pending, confirmed].find(version => isSameContent(version, to));
  const isCopied = property.kind === 'text' || (stamped !== undefined && !isSameContent(stamped, to));
  const { epoch, seq } = property.kind === 'ours' && isPlain(property.epoch) ? property : noPosition;
  const value = isCopied || !holds ? { epoch, seq, ...to } : undefined;
  if (holds) return { ...nothing, says: to, holds, seen: value, isForeign: isCopied };
  if (isSameContent(seen, to)) return { ...nothing, says: to, seen: value, isForeign: true };
  const foreign = (from: Version | NamedText | { text: string }, floor = 0): Finding => {
    const name = 'name' in from && from.name === to.name ? undefined : to.name;
    return {
      proposals: [proposalOf({ kind: 'foreignProperty', from, to: { text: to.text, name }, account })],
      says: to,
      seen: value,
      isForeign: floor === 0,
      floor,
    };
  };
  if (property.kind === 'ours' && seen?.epoch === epoch && seen.seq === seq) return foreign(seen);
  if (stamped) return foreign(stamped);
  if (isLost && property.kind === 'ours') return foreign(shared ?? { text: '' }, property.seq);
  const latest = seen ?? confirmed;
  const before = latest && explainingBase<Version | NamedText>(to.text, latest, old);
  // The nearer text decides whether the pending write had arrived before the foreign one.
  if (before && pending) {
    const nearer = await run(baseSearch, { text: to.text, last: before.text, earlier: [pending.text] });
    return foreign(nearer === before.text ? before : pending);
  }
  if (before) return foreign(before);
  const texts = [last, ...recent].map(({ text }) => text);
  const text = await run(baseSearch, { text: to.text, last: last.text, earlier: texts });
  return foreign([last, ...recent].find(version => version.text === text) ?? last);
}

/** The field's value and changes. */
export interface FieldRead {
  field: FieldText;
  /** Entries of the changelog since the last read; all known ones if there was none. */
  entries: readonly ChangelogEntry[];
  /** The last confirmed text, `null` if the field was never read. */
  confirmed: string | null;
  /** Whether the entries begin after the confirmed text. */
  isSince: boolean;
  /** The mark of a pending write (`fieldMark`). */
  pending: string | null;
  /** Whether the last write was refused, so that an unchanged field may lack the newest text. */
  isRefused: boolean;
  /** The account of the app's calls. */
  own: string | undefined;
  /** Whether a text fits into the property. */
  fits(text: string): Promise<boolean>;
  /** Of all revisions the one with the most of the field's lines, if the changelog does not tell its base. */
  explaining: Version | undefined;
}

interface FieldChange {
  id: number;
  author: string | undefined;
  from: string;
  to: string;
}

/** The field's changes in a changelog, as lines of a checklist, without those that name neither text. */
const changesOf = (entries: readonly ChangelogEntry[], id: string, clean: (text: string) => string): FieldChange[] =>
  entries.flatMap(entry =>
    entry.fields.flatMap(({ field, from, to }) =>
      field === id && !(from === null && to === null)
        ? { id: entry.id, author: entry.author, from: clean(from ?? ''), to: clean(to ?? '') }
        : [],
    ),
  );

/** Skips texts that do not fit: the next change then has the text before as its base. */
async function fitting(changes: readonly FieldChange[], fits: FieldRead['fits']): Promise<FieldChange[]> {
  const fittingChanges: FieldChange[] = [];
  for (const change of changes) {
    const before = fittingChanges.at(-1);
    if (before && !(await fits(before.to))) fittingChanges.splice(-1, 1, { ...change, from: before.from });
    else fittingChanges.push(change);
  }
  return fittingChanges;
}

/** The changes after the one that set the confirmed text. */
function since(changes: readonly FieldChange[], confirmed: string): readonly FieldChange[] {
  const confirming = changes.findLastIndex(({ to }) => sameField(to, confirmed));
  if (confirming >= 0) return changes.slice(confirming + 1);
  const next = changes.findIndex(({ from }) => sameField(from, confirmed));
  return next >= 0 ? changes.slice(next) : [];
}

/** A foreign change of the field, and the changelog's entry that has it, unless none explains it. */
export interface FieldProposal {
  proposal: Proposal;
  /** The entry, and the field's text after it. */
  entry?: { id: number; text: string };
}

/** The result of reading the field. */
export interface FieldFinding {
  proposals: FieldProposal[];
  /** Whether it holds an older revision's or a foreign text, not the tracker's normalization of the newest one. */
  isBehind(newest: string): boolean;
}

/**
 * The foreign changes of the field by the changelog, with exact bases and authors, including those that were overwritten.
 * An empty field is no empty checklist: the tracker clears it when an issue moves. If the changelog does not explain
 * the value, the last confirmed text is the base; without one, it is guessed.
 */
export async function readFieldChanges(
  run: RunTask,
  { field, entries, confirmed, isSince, pending, isRefused, own, fits, explaining: old }: FieldRead,
  recent: readonly Version[],
  clean: (text: string) => string,
): Promise<FieldFinding> {
  const fieldChanges = changesOf(entries, field.id, clean);
  const changesSinceConfirmed = confirmed === null ? [] : since(fieldChanges, confirmed);
  const fresh = await fitting(isSince ? fieldChanges : changesSinceConfirmed, fits);
  const changed = (account: string | undefined, from: string, to: string) =>
    ({ kind: 'foreignField', account, from: { text: from }, to: { text: to } }) as const;
  const proposals = fresh.flatMap(({ id, author, from, to }): FieldProposal[] => {
    if (author === own || to.trim() === '' || sameField(from, to)) return [];
    return [{ proposal: proposalOf({ ...changed(author, from, to), entry: id }), entry: { id, text: to } }];
  });
  const last = fresh.at(-1);
  const isOurs = last !== undefined && last.author === own;
  const isKnown = recent.some(({ text }) => sameField(text, field.text));
  const isExplained =
    field.text.trim() === '' ||
    fieldMark(field.text) === pending ||
    (last ? isOurs || sameField(last.to, field.text) : isKnown) ||
    (confirmed !== null && sameField(confirmed, field.text));
  if (!isExplained) {
    const ours = recent.map(version => version.text);
    const latest = confirmed ?? (await run(baseSearch, { text: field.text, last: '', earlier: ours }));
    const text = last?.to ?? explainingBase<{ text: string }>(field.text, { text: latest }, old).text;
    const author = fieldChanges.findLast(({ to }) => sameField(to, field.text))?.author;
    proposals.push({ proposal: proposalOf(changed(author, text, field.text)) });
  }
  const isOld = recent.slice(1).some(({ text }) => sameField(text, field.text));
  const isUnchanged = !isRefused && last === undefined && confirmed !== null && sameField(confirmed, field.text);
  return {
    proposals,
    isBehind: newest => !isUnchanged && !sameField(field.text, newest) && (!isOurs || isOld),
  };
}
