import { randomUUID } from 'node:crypto';
import type { StoredChecklist } from '../../domain/storage.ts';
import { UNKNOWN_AUTHOR } from '../checklists/adopt.ts';
import type { Proposal } from '../checklists/change/merge-changes.ts';
import { fieldMark, sameField } from '../checklists/copies/field.ts';
import { nearestBase } from '../checklists/copies/nearest-base.ts';
import { nowhere } from '../checklists/copies/stored.ts';
import { type FieldText, isPlain, type Version } from '../checklists/revisions.ts';
import type { ChangeBase } from '../checklists/types.ts';
import { hashText } from '../common/hash.ts';
import type { ChangelogEntry } from '../platform/tracker/changelog.ts';
import type { Seen } from './records.ts';

/** What the database knows that a tracker's copy is compared with. */
export interface Known {
  /** The newest revision. */
  last: Version;
  /** The revision that the property was last confirmed to hold. */
  confirmed: Version | undefined;
  /** The revision whose number the property bears. */
  stamped: Version | undefined;
  /** The property bears a number of ours that this database did not give, or has given to another revision since. */
  isLost: boolean;
  /** The revision that is being written, or was without an answer. */
  pending: Version | undefined;
  /** The foreign value that the property was last read to hold: it is taken up. */
  seen: Seen | undefined;
  /** The newest revision of before the watch: the one that a database from before a restored backup shares with this one. */
  shared: Version | undefined;
  /** The latest revisions, the newest first. */
  recent: readonly Version[];
}

/** What a read of a copy means. */
export interface Finding {
  /** Foreign changes, oldest first. */
  proposals: Proposal[];
  /** What the property says, where it is a checklist. */
  says?: { name: string; text: string };
  /** The revision that the property holds. */
  holds?: Version | undefined;
  /** The foreign value that it holds. */
  seen?: Seen | undefined;
  /** A foreign writer has written it. */
  isForeign: boolean;
  /** No revision may get a number up to this one. */
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
  issueId: string;
  from: Version | Said | { text: string };
  to: { text: string; name?: string | undefined };
  account: string | undefined;
  /** Of the changelog's entry, so that it is taken up once. */
  entry?: number;
}

/** The proposal of a foreign change: its exact text, on the text that it was made of. No limit of ours refuses it. */
export const proposalOf = ({ kind, issueId, from, to, account, entry }: Foreign): Proposal => ({
  account: account || UNKNOWN_AUTHOR,
  change: {
    issueId,
    // With a blank, which no client's id has.
    clientId: `foreign ${entry ?? randomUUID()}`,
    base: baseOf(from),
    kind,
    name: to.name,
    apply: () => to.text,
    readText: to.text,
  },
  limit: Number.POSITIVE_INFINITY,
});

/** A checklist's name and text. */
type Said = Pick<Version, 'name' | 'text'>;

export const says = (one: Said | undefined, { name, text }: Said): boolean => one?.text === text && one.name === name;

/**
 * What the property holds: a revision of ours, however late it was written, or a foreign change and what that was made of:
 * the value with its stamp that was read before, else the revision that its stamp names, else what was read or confirmed
 * last (design.md §4.2). A value with a number of ours that was lost is our own, from before a backup was restored. The base
 * of a value without a stamp is guessed only where nothing was ever confirmed, or a write has no answer yet.
 */
export function readProperty(
  property: StoredChecklist,
  { last, confirmed, stamped, isLost, pending, seen, shared, recent }: Known,
  { issueId, account }: { issueId: string; account: string | undefined },
): Finding {
  const nothing: Finding = { proposals: [], isForeign: property.kind === 'foreign', floor: 0 };
  if (property.kind === 'absent' || property.kind === 'foreign') return nothing;
  const to = { name: property.kind === 'ours' ? property.name : last.name, text: property.text };
  const holds = [stamped, last, pending, confirmed].find(version => says(version, to));
  const isCopied = property.kind === 'text' || (stamped !== undefined && !says(stamped, to));
  const { epoch, seq } = property.kind === 'ours' && isPlain(property.epoch) ? property : nowhere;
  const value = isCopied || !holds ? { epoch, seq, ...to } : undefined;
  if (holds) return { ...nothing, says: to, holds, seen: value, isForeign: isCopied };
  if (says(seen, to)) return { ...nothing, says: to, seen: value, isForeign: true };
  const foreign = (from: Version | Said | { text: string }, floor = 0): Finding => {
    const name = 'name' in from && from.name === to.name ? undefined : to.name;
    return {
      proposals: [proposalOf({ kind: 'foreignProperty', issueId, from, to: { text: to.text, name }, account })],
      says: to,
      seen: value,
      isForeign: floor === 0,
      floor,
    };
  };
  if (property.kind === 'ours' && seen?.epoch === epoch && seen.seq === seq) return foreign(seen);
  if (stamped) return foreign(stamped);
  if (isLost && property.kind === 'ours') return foreign(shared ?? { text: '' }, property.seq);
  const before = seen ?? confirmed;
  // Whether ours had arrived is told by what it is nearer to: what ours brought was else not there to be deleted.
  if (before && pending) {
    return foreign(nearestBase(to.text, before.text, [pending.text]) === before.text ? before : pending);
  }
  if (before) return foreign(before);
  const texts = [last, ...recent].map(({ text }) => text);
  const text = nearestBase(to.text, last.text, texts);
  return foreign([last, ...recent].find(version => version.text === text) ?? last);
}

/** What the field holds and what happened to it. */
export interface FieldRead {
  field: FieldText;
  /** Of the issue's changelog, since the last look; all that are known where there was none. */
  entries: readonly ChangelogEntry[];
  /** What it was confirmed to hold, `null` where it was never seen. */
  confirmed: string | null;
  /** Whether the entries begin after what was confirmed. */
  isSince: boolean;
  /** The mark of a text that is being written. */
  pending: string | null;
  /** The account of our own calls. */
  own: string | undefined;
  /** Whether a checklist has room for a text. */
  fits(text: string): boolean;
}

interface FieldChange {
  id: number;
  author: string | undefined;
  from: string;
  to: string;
}

/** The field's changes in a changelog, as lines of a checklist; those that say neither text say nothing. */
const changesOf = (entries: readonly ChangelogEntry[], id: string, clean: (text: string) => string): FieldChange[] =>
  entries.flatMap(entry =>
    entry.fields.flatMap(({ field, from, to }) =>
      field === id && !(from === null && to === null)
        ? { id: entry.id, author: entry.author, from: clean(from ?? ''), to: clean(to ?? '') }
        : [],
    ),
  );

/** A text that a checklist has no room for is passed over: what was made of it is a change of the one before. */
function fitting(changes: readonly FieldChange[], fits: FieldRead['fits']): FieldChange[] {
  const all: FieldChange[] = [];
  for (const change of changes) {
    const before = all.at(-1);
    if (before && !fits(before.to)) all.splice(-1, 1, { ...change, from: before.from });
    else all.push(change);
  }
  return all;
}

/** Those after the one that brought what was confirmed. */
function since(changes: readonly FieldChange[], confirmed: string): readonly FieldChange[] {
  const brought = changes.findLastIndex(({ to }) => sameField(to, confirmed));
  if (brought >= 0) return changes.slice(brought + 1);
  const left = changes.findIndex(({ from }) => sameField(from, confirmed));
  return left >= 0 ? changes.slice(left) : [];
}

/** What a look at the field came to. */
export interface FieldFinding {
  proposals: Proposal[];
  /** It came to hold an older text of ours, or a foreign one: not another writing of what we wrote. */
  isBehind(newest: string): boolean;
}

/**
 * What happened to the field: each foreign change with its exact base and author, by the changelog, also where it was
 * overwritten since. An emptied field is no empty checklist: it empties when an issue moves. Where the changelog does not
 * say how the field came to hold what it holds, the last confirmed text is the base; before there is one, it is guessed.
 */
export function readFieldChanges(
  { field, entries, confirmed, isSince, pending, own, fits }: FieldRead,
  recent: readonly Version[],
  issueId: string,
  clean: (text: string) => string,
): FieldFinding {
  const all = changesOf(entries, field.id, clean);
  const known = confirmed === null ? [] : since(all, confirmed);
  const fresh = fitting(isSince ? all : known, fits);
  const proposals = fresh.flatMap(({ id, author, from, to }) =>
    author === own || to.trim() === '' || sameField(from, to)
      ? []
      : proposalOf({
          ...{ kind: 'foreignField', issueId, account: author, entry: id },
          from: { text: from },
          to: { text: to },
        }),
  );
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
    const text = last?.to ?? confirmed ?? nearestBase(field.text, '', ours);
    const author = all.findLast(({ to }) => sameField(to, field.text))?.author;
    const to = { text: field.text };
    proposals.push(proposalOf({ kind: 'foreignField', issueId, from: { text }, to, account: author }));
  }
  const isOld = recent.slice(1).some(({ text }) => sameField(text, field.text));
  const isUnchanged = last === undefined && confirmed !== null && sameField(confirmed, field.text);
  return {
    proposals,
    isBehind: newest => !isUnchanged && !sameField(field.text, newest) && (!isOurs || isOld),
  };
}
