import { DateRef, Emoji, IssueKey, Mention, StatusLabel } from '../../../grammar/parser.terms.ts';
import type { Status } from '../../domain/statuses.ts';
import { isBuiltIn } from '../../text/head.ts';
import { accountIdOf, isoDayOf } from '../../text/references.ts';
import type { Checklist, Row } from '../../text/types.ts';
import type { PlacedRow } from '../checklist.ts';

/** The meaning of a range of text. */
export type Meaning =
  | { kind: 'person'; accountId: string }
  /** `due`: an open item waits for that day. */
  | { kind: 'day'; day: string; due: boolean }
  | { kind: 'issue'; key: string }
  /** The code comes without its colons, and may name no emoji. */
  | { kind: 'emoji'; code: string }
  | { kind: 'status'; status: Status };

/** A stretch of text that can be shown as what it stands for. */
export interface Chip {
  from: number;
  to: number;
  meaning: Meaning;
  /** The chip starts a line: a widget in its place would start the line, which input methods do not support. */
  first: boolean;
}

function meaningOf(type: number, text: string, row: Row, inDetails: boolean): Meaning | undefined {
  switch (type) {
    case Mention:
      return { kind: 'person', accountId: accountIdOf(text) };
    case IssueKey:
      return { kind: 'issue', key: text };
    case Emoji:
      return { kind: 'emoji', code: text.slice(1, -1) };
    case DateRef: {
      const day = isoDayOf(text);
      const open = row.kind === 'checkbox' && !row.status.checked;
      return { kind: 'day', day, due: open && !inDetails && row.dueDate === day };
    }
  }
  return undefined;
}

/** By row, since an unchanged row stays the same object wherever it moves. */
const known = new WeakMap<Row, readonly Chip[]>();

/** The chips of a row and its details in order, relative to the row's start. */
export function chipsOf({ tree, text }: Checklist, { row, start }: PlacedRow): readonly Chip[] {
  const before = known.get(row);
  if (before) return before;
  const chips: Chip[] = [];
  const add = (from: number, to: number, meaning: Meaning | undefined) => {
    if (!meaning) return;
    const first = from === 0 || text[from - 1] === '\n';
    chips.push({ from: from - start, to: to - start, meaning, first });
  };
  const contentTo = start + row.content.to;
  tree.iterate({
    from: start,
    to: start + row.length,
    enter: ({ type, from, to }) => {
      // What ends where the row begins, or begins where it ends, is a neighbour's.
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
  known.set(row, chips);
  return chips;
}
