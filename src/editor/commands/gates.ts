import { EditorSelection, type EditorState, type StateCommand } from '@codemirror/state';
import { BEFORE } from '../../../grammar/header-marks.ts';
import { chips } from '../../domain/messages.ts';
import * as edits from '../../text/edits.ts';
import { lastRowBefore, targetOf } from '../../text/rows.ts';
import type { HeaderRow } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';
import { picks } from '../complete/picker.ts';
import { textCommand } from './rows.ts';

/** The header of the section that the main cursor stands in. */
function headerAt(state: EditorState): { row: HeaderRow; index: number } | undefined {
  const { rows } = checklistOf(state);
  const last = lastRowBefore(checklistOf(state), state.doc.lineAt(state.selection.main.head).to);
  for (let index = last; index >= 0; index--) {
    const row = rows[index];
    if (row?.kind === 'header') return { row, index };
  }
  return undefined;
}

export const inSection = (state: EditorState): boolean => headerAt(state) !== undefined;

/** Starts the completion of a status at the end of the section's header, for one more gate. */
export const askGate: StateCommand = textCommand(state => {
  const currentHeader = headerAt(state);
  if (!currentHeader) return undefined;
  const { starts, text } = checklistOf(state);
  const from = (starts[currentHeader.index] ?? 0) + currentHeader.row.content.to;
  const insert = (/[ \t\xa0]/.test(text[from - 1] ?? '') ? '' : ' ') + BEFORE;
  return {
    changes: { from, insert },
    selection: EditorSelection.single(from + insert.length),
    effects: [picks(from, insert)],
    said: 'Type the name of a status',
  };
});

/** Takes the gates of the section away. */
export const clearGates: StateCommand = textCommand(state => {
  const currentHeader = headerAt(state);
  if (!currentHeader) return undefined;
  const checklist = checklistOf(state);
  return { changes: edits.setGates(checklist, targetOf(checklist, currentHeader.index), []), said: 'No gate' };
});

export const hasGates = (state: EditorState): boolean => (headerAt(state)?.row.gates.length ?? 0) > 0;

export const isForCustomers = (state: EditorState): boolean => headerAt(state)?.row.customers ?? false;

/** Shows the section to customers, or no longer. */
export const toggleCustomers: StateCommand = textCommand(state => {
  const currentHeader = headerAt(state);
  if (!currentHeader) return undefined;
  const checklist = checklistOf(state);
  const customers = !currentHeader.row.customers;
  return {
    changes: edits.setCustomers(checklist, targetOf(checklist, currentHeader.index), customers),
    said: customers ? chips.customers : 'Not visible to customers',
  };
});
