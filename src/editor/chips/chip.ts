import type { EditorState } from '@codemirror/state';
import {
  Customers,
  DateRef,
  Emoji,
  Gate,
  IssueKey,
  IssueUrl,
  Mention,
  StatusLabel,
} from '../../../grammar/parser.terms.ts';
import type { Status } from '../../domain/statuses.ts';
import { isBuiltIn } from '../../text/head.ts';
import { gateNameOf } from '../../text/header/marks.ts';
import { issueOf } from '../../text/inline.ts';
import { accountIdOf, isoDayOf } from '../../text/references.ts';
import type { Checklist, Row } from '../../text/types.ts';
import { checklistOf, type PlacedRow, rowsBetween } from '../checklist.ts';

/** The meaning of a range of text. */
export type Meaning =
  | { kind: 'person'; accountId: string }
  /** `due`: an open item waits for that day. */
  | { kind: 'day'; day: string; due: boolean }
  /** `address`: it is written as that, which may be another site's. */
  | { kind: 'issue'; key: string; address?: string }
  /** The code comes without its colons, and may name no emoji. */
  | { kind: 'emoji'; code: string }
  | { kind: 'status'; status: Status }
  /** The name of a status of the tracker. */
  | { kind: 'gate'; name: string }
  | { kind: 'customers' };

/** A range of text that can be shown as a chip, with its meaning. */
export interface Chip {
  from: number;
  to: number;
  meaning: Meaning;
}

function meaningOf(type: number, text: string, row: Row, inDetails: boolean): Meaning | undefined {
  switch (type) {
    case Mention:
      return { kind: 'person', accountId: accountIdOf(text) };
    case IssueKey:
      return { kind: 'issue', key: text };
    case IssueUrl:
      return { kind: 'issue', key: issueOf(text), address: text };
    case Emoji:
      return { kind: 'emoji', code: text.slice(1, -1) };
    case Gate:
      return { kind: 'gate', name: gateNameOf(text) };
    case Customers:
      return { kind: 'customers' };
    case DateRef: {
      const day = isoDayOf(text);
      const open = row.kind === 'checkbox' && !row.status.checked;
      return { kind: 'day', day, due: open && !inDetails && row.dueDate === day };
    }
  }
  return undefined;
}

/** By row, since an unchanged row stays the same object wherever it moves. */
const chipsOfRow = new WeakMap<Row, readonly Chip[]>();

/** The chips of a row and its details in order, relative to the row's start. */
export function chipsOf({ tree, text }: Checklist, { row, start }: PlacedRow): readonly Chip[] {
  const cachedChips = chipsOfRow.get(row);
  if (cachedChips) return cachedChips;
  const chips: Chip[] = [];
  const add = (from: number, to: number, meaning: Meaning | undefined) => {
    if (meaning) chips.push({ from: from - start, to: to - start, meaning });
  };
  const contentTo = start + row.content.to;
  tree.iterate({
    from: start,
    to: start + row.length,
    enter: ({ type, from, to }) => {
      // A node that ends at the row's start, or begins at the row's end, belongs to a neighbouring row.
      if (to <= start || from >= start + row.length) return false;
      if (type.id === StatusLabel && from < start + row.content.from) {
        // The name of a status is a name, whatever it holds.
        if (row.kind === 'checkbox' && !isBuiltIn(row.status)) {
          add(from, to, { kind: 'status', status: row.status });
        }
        return false;
      }
      add(from, to, meaningOf(type.id, text.slice(from, to), row, from >= contentTo));
      return undefined;
    },
  });
  chipsOfRow.set(row, chips);
  return chips;
}

/** The chips of the rows that a range touches, at their places in the text. */
export function chipsIn(state: EditorState, from: number, to: number): Chip[] {
  const checklist = checklistOf(state);
  return rowsBetween(checklist, from, to).flatMap(placed =>
    chipsOf(checklist, placed).map(chip => ({
      ...chip,
      from: placed.start + chip.from,
      to: placed.start + chip.to,
    })),
  );
}

/** The chip that is a range of the text. */
export const chipAt = (state: EditorState, { from, to }: { from: number; to: number }): Chip | undefined =>
  from === to ? undefined : chipsIn(state, from, from).find(chip => chip.from === from && chip.to === to);
