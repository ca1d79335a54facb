import type { Position } from '../checklists/service/types.ts';
import { type CopyRefusal, pauseAfter } from './refusals.ts';

/*
 * The states of the tracker's copies, and what leads from one to the next. A run (run.ts) loads them, and records each
 * step under its fencing token.
 *
 *   settled ──change──▶ due ──begun──▶ pending ──settled──▶ settled
 *                        ▲ ◀──undone──────┤
 *                        │             refused ──▶ refused ──begun──▶ pending
 *                        └── found behind by a read, which also ends a pending write
 */

/** Why a copy was last not written. */
export interface Refusal {
  reason: string;
  /** Pauses in a row. */
  tries: number;
  /** The end of the last pause. */
  retry: Date;
}

/** The state of a copy. `Write` identifies a write. */
export type CopyState<Write> =
  | { name: 'settled' }
  | { name: 'due' }
  /** A write has no answer yet. */
  | { name: 'pending'; write: Write; refusal: Refusal | undefined }
  /** It is due, and the last try was refused. */
  | { name: 'refused'; refusal: Refusal };

/** How a read finds a copy: with nothing to write; without the newest revision; or unchanged, with what it had to write. */
export type CopyFound = 'equal' | 'behind' | 'kept';

export type CopyEvent<Write> =
  | { kind: 'begun'; write: Write }
  | { kind: 'settled' }
  | { kind: 'undone' }
  | { kind: 'refused'; reason: CopyRefusal; now: Date }
  | { kind: 'read'; found: CopyFound };

/** The refusal of the last try, where no later one was taken. */
export const refusalIn = <Write>(state: CopyState<Write>): Refusal | undefined =>
  state.name === 'pending' || state.name === 'refused' ? state.refusal : undefined;

export const isDue = <Write>({ name }: CopyState<Write>): boolean => name !== 'settled';

/** The state of a copy that has to be written. */
const dueAfter = (refusal: Refusal | undefined): { name: 'due' } | { name: 'refused'; refusal: Refusal } =>
  refusal ? { name: 'refused', refusal } : { name: 'due' };

const MINUTE_MS = 60_000;
/** Number of doublings of a pause beyond which it has long been the longest. */
const MAX_DOUBLINGS = 20;

/** The refusal after a further one. A try before the end of a pause makes it no longer. */
function refusedAgain(before: Refusal | undefined, reason: CopyRefusal, now: Date): Refusal {
  if (before && before.retry > now) return { ...before, reason };
  const tries = before?.tries ?? 0;
  const { first, longest } = pauseAfter(reason);
  const minutes = Math.min(longest, first * 2 ** Math.min(tries, MAX_DOUBLINGS));
  return { reason, tries: tries + 1, retry: new Date(now.getTime() + minutes * MINUTE_MS) };
}

/** The state of a copy after an event. */
export function stateAfter<Write>(state: CopyState<Write>, event: CopyEvent<Write>): CopyState<Write> {
  const refusal = refusalIn(state);
  switch (event.kind) {
    case 'begun':
      return { name: 'pending', write: event.write, refusal };
    case 'settled':
      return { name: 'settled' };
    case 'undone':
      return dueAfter(refusal);
    case 'refused':
      return { name: 'refused', refusal: refusedAgain(refusal, event.reason, event.now) };
    case 'read':
      if (event.found === 'equal') return { name: 'settled' };
      return event.found === 'behind' || isDue(state) ? dueAfter(refusal) : state;
  }
}

/** A foreign value of the property with its stamp; '' and 0 where it has none. */
export interface Seen extends Position {
  name: string;
  text: string;
}

/** Hashes of a property's value and of the statuses that it was made with, and its verdict. */
export interface PropertyValue {
  print: string | null;
  registry: string | null;
  /** What workflow rules read from it (`verdictOf`); `null` where it holds no checklist. */
  verdict: string | null;
}

/** What is known of the property. */
export interface Property extends PropertyValue {
  state: CopyState<Position>;
  /** The revision that it was last confirmed to hold. */
  confirmed: Position | null;
  /** The foreign value of the last read, until an own one is confirmed in its place. */
  seen: Seen | null;
  /** Number of consecutive compare-and-sets without a visible effect. */
  swaps: number;
  /** A foreign writer has written it before. */
  contended: boolean;
  /** The watch within which it was last confirmed. */
  watch: string | null;
  /** Text for users: why it is not written. */
  notice: string | null;
}

/** What is known of the field. A write is identified by `fieldMark`. */
export interface Field {
  state: CopyState<string>;
  confirmed: Position | null;
  id: string | null;
  /** The text that it was last known to hold; `null` where that is unknown, or was left out of the checklist. */
  text: string | null;
  /** The last read did not show it. */
  isUnread: boolean;
  /** The newest entry of the changelog that was read and applied. */
  cursor: number | null;
  /** Text for users: why it is not written, or what was left out of the checklist. */
  notice: string | null;
}

type Refused = { reason: CopyRefusal; notice: string | null; now: Date };

/** A read of the property: `'left'` has the newest text in a foreign value, which was overwritten once before. */
export interface PropertyRead {
  found: 'equal' | 'behind' | 'left' | 'unwanted';
  /** The revision that it holds; `undefined` keeps the one before. */
  holds: Position | undefined;
  newest: Position;
  seen: Seen | null;
  /** The wanted value, if that is what it holds. */
  print: string | null;
  registry: string | null;
  verdict: string | null;
  isChanged: boolean;
  isForeign: boolean;
  watch: string;
}

export type PropertyEvent =
  | { kind: 'begun'; write: Position }
  | ({ kind: 'confirmed'; watch: string } & PropertyValue)
  /** A compare-and-set, whose effect the next read shows. */
  | { kind: 'swapped' }
  /** The write had no effect. */
  | { kind: 'undone' }
  | ({ kind: 'refused' } & Refused)
  | ({ kind: 'read' } & PropertyRead);

/** What is known of the property after an event. */
export function propertyAfter(property: Property, event: PropertyEvent): Property {
  const { state } = property;
  switch (event.kind) {
    case 'begun':
    case 'undone':
      return { ...property, state: stateAfter(state, event) };
    case 'swapped':
      return { ...property, swaps: property.swaps + 1 };
    case 'refused':
      return { ...property, state: stateAfter(state, event), notice: event.notice };
    case 'confirmed': {
      const { print, registry, verdict, watch } = event;
      const confirmed = state.name === 'pending' ? state.write : property.confirmed;
      const known = { print, registry, verdict, watch, confirmed, seen: null, swaps: 0, notice: null };
      return { ...property, ...known, state: stateAfter(state, { kind: 'settled' }) };
    }
    case 'read': {
      const { seen, verdict, watch } = event;
      const found = event.found === 'behind' ? 'behind' : event.found === 'left' ? 'kept' : 'equal';
      const next = stateAfter(state, { kind: 'read', found });
      return {
        ...{ seen, verdict, watch, state: next, notice: isDue(next) ? property.notice : null },
        confirmed: event.found === 'left' ? event.newest : (event.holds ?? property.confirmed),
        print: event.print ?? property.print,
        registry: event.registry ?? property.registry,
        swaps: event.isChanged ? 0 : property.swaps,
        contended: property.contended || event.isForeign,
      };
    }
  }
}

/**
 * A read of the field: not found; with a text that was left out of the checklist; with the newest revision's text; with an
 * older or a foreign one, and is written; or with a text that needs no write, such as the tracker's own form of the app's.
 */
export interface FieldReading {
  found: 'unread' | 'leftOut' | 'equal' | 'behind' | 'kept';
  id: string | undefined;
  text: string | null;
  newest: Position;
  cursor: number | null;
  notice: string | null;
}

export type FieldEvent =
  | { kind: 'begun'; write: string }
  /** It holds a text of the revision. */
  | { kind: 'confirmed'; at: Position; id: string; text: string }
  /** The checklist is not mirrored in a field. */
  | { kind: 'dropped' }
  | ({ kind: 'refused' } & Refused)
  | ({ kind: 'read' } & FieldReading);

/** What is known of the field after an event. */
export function fieldAfter(field: Field, event: FieldEvent): Field {
  const { state } = field;
  switch (event.kind) {
    case 'begun':
      return { ...field, state: stateAfter(state, event) };
    case 'refused':
      return { ...field, state: stateAfter(state, event), notice: event.notice };
    case 'dropped':
      return { ...field, state: { name: 'settled' }, notice: null };
    case 'confirmed': {
      const { at: confirmed, id, text } = event;
      return { ...field, confirmed, id, text, state: { name: 'settled' }, notice: null };
    }
    case 'read': {
      const { found, id, text, newest, cursor, notice } = event;
      const isEqual = found === 'equal';
      return {
        state: stateAfter(state, { kind: 'read', found: isEqual || found === 'behind' ? found : 'kept' }),
        confirmed: isEqual ? newest : field.confirmed,
        id: id ?? field.id,
        text: id === undefined ? field.text : text,
        isUnread: id === undefined && field.id !== null,
        cursor,
        notice: notice ?? (isEqual && isDue(state) ? null : field.notice),
      };
    }
  }
}

/** What is known of both copies. */
export interface KnownCopies {
  property: Property;
  field: Field;
}

/** The notice of a refused copy, for the panel's line. Users change nothing about a field that is not on the screen. */
export function refusedNotice({ property, field }: KnownCopies): string | null {
  if (refusalIn(property.state)) return property.notice;
  const refusal = refusalIn(field.state);
  return refusal && refusal.reason !== 'screen' ? field.notice : null;
}
