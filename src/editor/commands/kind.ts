import type { EditorState, StateCommand } from '@codemirror/state';
import { detachDetail, makeDetail, makeHeader, makeItem, setLevel } from '../../text/edits/kind.ts';
import { EditRefused } from '../../text/errors.ts';
import type { Checklist, HeaderRow, TextChange } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { forEach, type SelectedRow, selected, textCommand } from './rows.ts';

/** The level of the section that a row is in; 1 above all headers. */
function levelAround({ rows }: Checklist, index: number): HeaderRow['level'] {
  const above = rows.slice(0, index).findLast(row => row.kind === 'header');
  return above?.kind === 'header' ? above.level : 1;
}

/** The detail of the row that the main cursor stands in, counted from 0. */
function detailAt(state: EditorState): { row: SelectedRow; detail: number } | undefined {
  const checklist = checklistOf(state);
  const line = state.doc.lineAt(state.selection.main.head);
  const placed = rowAt(checklist, line.from);
  if (!placed) return undefined;
  const { row, start, index } = placed;
  const detail = row.details.findIndex(({ from, to }) => start + from >= line.from && start + to <= line.to);
  return detail < 0 ? undefined : { row: { row, target: { index, text: row.text } }, detail };
}

type Change = (checklist: Checklist, selected: SelectedRow) => TextChange[];

/** A command on each selected row; in a detail, the one for that. */
const kindCommand = (change: Change, said: string, ofDetail?: boolean): StateCommand =>
  textCommand(state => {
    const checklist = checklistOf(state);
    const found = detailAt(state);
    if (found) {
      if (!ofDetail) return { said: 'This is a detail' };
      return { changes: detachDetail(checklist, found.row.target, found.detail), said: 'Item' };
    }
    const rows = selected(state);
    if (rows.length === 0) return { said: 'No row here' };
    return { changes: forEach(rows, row => change(checklist, row)), said };
  });

const level = (to: number) => Math.max(1, Math.min(6, to)) as HeaderRow['level'];

/** One step towards the top: a detail becomes an item, an item a header, a header one of the level above. */
export const promote: StateCommand = kindCommand(
  (checklist, { row, target }) =>
    row.kind === 'header'
      ? setLevel(checklist, target, level(row.level - 1))
      : makeHeader(checklist, target, levelAround(checklist, target.index)),
  'Promoted',
  true,
);

/** One step down: a header becomes one of the level below, an item a detail of the row above. */
export const demote: StateCommand = kindCommand(
  (checklist, { row, target }) =>
    row.kind === 'header' ? setLevel(checklist, target, level(row.level + 1)) : makeDetail(checklist, target),
  'Demoted',
);

export const toHeader: StateCommand = kindCommand(
  (checklist, { row, target }) =>
    row.kind === 'header' ? [] : makeHeader(checklist, target, levelAround(checklist, target.index)),
  'Header',
);

export const toItem: StateCommand = kindCommand((checklist, { target }) => makeItem(checklist, target), 'Item', true);

export const toDetail: StateCommand = kindCommand((checklist, { row, target }) => {
  if (row.kind === 'header') throw new EditRefused('NOT_AN_ITEM', "A header can't become a detail.");
  return makeDetail(checklist, target);
}, 'Detail');
