import { ensureSyntaxTree } from '@codemirror/language';
import {
  Compartment,
  type EditorState,
  type Extension,
  Facet,
  StateField,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { ViewUpdate } from '@codemirror/view';
import { parser } from '../../grammar/parser.ts';
import type { Difference } from '../text/document.ts';
import { readTree } from '../text/read.ts';
import { lastRowBefore } from '../text/rows.ts';
import { builtIn, type StatusRegistry } from '../text/status-registry.ts';
import type { Checklist, Row } from '../text/types.ts';

/** The statuses that labels in brackets are looked up in; the built-in ones unless given. */
export const statuses = Facet.define<StatusRegistry, StatusRegistry>({ combine: given => given[0] ?? builtIn });

const compartment = new Compartment();

/** The statuses of an editor; the built-in statuses until the application sets a registry. */
export const statusesOf = (registry: StatusRegistry = builtIn): Extension => compartment.of(statuses.of(registry));

/** Lets an open editor read its text by other statuses. */
export const setStatuses = (registry: StatusRegistry): TransactionSpec => ({
  effects: compartment.reconfigure(statuses.of(registry)),
});

/** If the editor's parser needs longer for the whole tree, the text is parsed separately. */
const PARSE_TIMEOUT_MS = 100;

/** Reads the whole text; CodeMirror alone parses only the viewport. */
function readState(state: EditorState, previous?: Checklist, changed?: Difference): Checklist {
  const text = state.doc.toString();
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_TIMEOUT_MS) ?? parser.parse(text);
  return readTree(text, tree, state.facet(statuses), previous, changed);
}

/** The range from the first to the last character that a transaction changed. */
function changedBy({ changes }: Transaction): Difference | undefined {
  let range: Difference | undefined;
  changes.iterChangedRanges((fromA, toA, _, toB) => {
    range = { from: range?.from ?? fromA, toA, toB };
  });
  return range;
}

/** The checklist that the text is. Read with each change; unchanged rows stay the same objects, unless the statuses change. */
export const checklistField = StateField.define<Checklist>({
  create: state => readState(state),
  update: (checklist, transaction) => {
    if (transaction.reconfigured && transaction.state.facet(statuses) !== checklist.statuses)
      return readState(transaction.state);
    return transaction.docChanged ? readState(transaction.state, checklist, changedBy(transaction)) : checklist;
  },
});

/** The model of the text in an editor. */
export const checklistOf = (state: EditorState): Checklist => state.field(checklistField);

/** Whether an update has changed the model: the text, or the statuses that it is read by. */
export const isChecklistChanged = ({ startState, state }: ViewUpdate): boolean =>
  checklistOf(startState) !== checklistOf(state);

/** A row and its start in the text. */
export interface PlacedRow {
  index: number;
  row: Row;
  start: number;
}

/** The row whose lines hold the start of a line; `undefined` for a blank line. */
export function rowAt(checklist: Checklist, lineStart: number): PlacedRow | undefined {
  const index = lastRowBefore(checklist, lineStart);
  const row = checklist.rows[index];
  const start = checklist.starts[index];
  if (!row || start === undefined || lineStart >= start + row.length) return undefined;
  return { index, row, start };
}

/** The rows that a range touches, in order. */
export function rowsBetween(checklist: Checklist, from: number, to: number): PlacedRow[] {
  const placed: PlacedRow[] = [];
  for (let index = Math.max(0, lastRowBefore(checklist, from)); index < checklist.rows.length; index++) {
    const row = checklist.rows[index];
    const start = checklist.starts[index];
    if (!row || start === undefined || start > to) break;
    if (start + row.length > from) placed.push({ index, row, start });
  }
  return placed;
}
