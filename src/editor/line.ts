import type { EditorState } from '@codemirror/state';
import { checklistOf, rowAt } from './checklist.ts';

/** A line of a row: an item's or a header's first line, or one of its details. */
export interface RowLine {
  kind: 'item' | 'header' | 'detail';
  from: number;
  to: number;
  /** The blanks before the mark. */
  indent: string;
  /** From the mark on up to the words: `- `, `- [ON HOLD] ! `, `## `, `> `; empty without a mark. */
  prefix: string;
  /** The position at which the words begin. */
  words: number;
  /** The end of its row's last detail, when there are details below this line. */
  detailsEnd: number | undefined;
}

const blanks = /^[ \t\xa0]*/;

/** The blanks and tabs that a text begins with. */
export const blankRun = (text: string): string => blanks.exec(text)?.[0] ?? '';

/** The line of a row at a position; none for blank lines. */
export function rowLine(state: EditorState, position: number): RowLine | undefined {
  const line = state.doc.lineAt(position);
  const placed = rowAt(checklistOf(state), line.from);
  if (!placed) return undefined;
  const { row, start } = placed;
  const detail = row.details.find(({ to }) => start + to >= line.from);
  const first = start === line.from;
  const words = start + (first ? row.content.from : (detail?.from ?? 0));
  if (words < line.from || words > line.to) return undefined;
  const lead = line.text.slice(0, words - line.from);
  const indent = blankRun(lead);
  const last = row.details.at(-1);
  const end = last && state.doc.lineAt(start + last.to).to;
  return {
    kind: first ? (row.kind === 'header' ? 'header' : 'item') : 'detail',
    from: line.from,
    to: line.to,
    indent,
    prefix: lead.slice(indent.length),
    words,
    detailsEnd: end !== undefined && end > line.to ? end : undefined,
  };
}
