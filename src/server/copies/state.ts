import type { Position } from '../checklists/service/types.ts';
import { type CopyRefusal, type Refusal, repeatedRefusal } from './refusals.ts';

/*
 * The states of the tracker's copies, and what leads from one to the next. A run (run.ts) loads them, and records each
 * step under its fencing token.
 *
 *   settled ─change→ due ─begun→ pending ─settled→ settled
 *                                pending ─undone→ due
 *                                pending ─refused→ refused ─begun→ pending
 *
 * A read leads from each state to settled, if it finds the copy equal, or to due. A refusal stays known until a write or
 * a read settles the copy.
 */

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

/** The last refusal of a copy that is not settled since. */
export const refusalIn = <Write>(state: CopyState<Write>): Refusal | undefined =>
  state.name === 'pending' || state.name === 'refused' ? state.refusal : undefined;

export const isDue = <Write>({ name }: CopyState<Write>): boolean => name !== 'settled';

/** The state of a copy that has to be written. */
const dueAfter = (refusal: Refusal | undefined): { name: 'due' } | { name: 'refused'; refusal: Refusal } =>
  refusal ? { name: 'refused', refusal } : { name: 'due' };

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
      return { name: 'refused', refusal: repeatedRefusal(refusal, event.reason, event.now) };
    case 'read':
      if (event.found === 'equal') return { name: 'settled' };
      return event.found === 'behind' || isDue(state) ? dueAfter(refusal) : state;
  }
}

/** A foreign value of the property with its stamp; '' and 0 if it has none. */
export interface ForeignValue extends Position {
  name: string;
  text: string;
}

/** The state of the property, as the table `sync` has it (`SyncTable`). */
export interface Property {
  state: CopyState<Position>;
  confirmed: Position | null;
  seen: ForeignValue | null;
  print: string | null;
  registry: string | null;
  verdict: string | null;
  swaps: number;
  contended: boolean;
  watch: string | null;
  notice: string | null;
}

/** The state of the field, as the table `sync` has it. A write is identified by `fieldMark`. */
export interface Field {
  state: CopyState<string>;
  confirmed: Position | null;
  id: string | null;
  /** `null` also if the text was left out of the checklist. */
  text: string | null;
  isUnread: boolean;
  cursor: number | null;
  notice: string | null;
}

/** The state of a copy after an event. */
export const copyAfter = <Write, Copy extends { state: CopyState<Write> }>(
  copy: Copy,
  event: CopyEvent<Write>,
  changedValues: Partial<Copy>,
): Copy => ({ ...copy, ...changedValues, state: stateAfter(copy.state, event) });

/** The states of both copies. */
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
