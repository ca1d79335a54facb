import { ChangeSet, type EditorState, type StateCommand } from '@codemirror/state';
import * as done from '../../text/edits/done.ts';
import { duplicateRows, runsOf } from '../../text/edits/duplicate.ts';
import { moveRows } from '../../text/edits.ts';
import { sections } from '../../text/progress.ts';
import { rangeOf, targetOf } from '../../text/rows.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { selectedRows, textCommand } from './rows.ts';
import { after, movedSelection } from './selection.ts';

/** Rows that move together: `first` up to `end`, which is not one of them. */
interface Block {
  first: number;
  end: number;
}

/** The selected rows as runs of neighbours; a selected header includes its section. */
function blocksOf(state: EditorState): Block[] {
  const checklist = checklistOf(state);
  const indices = selectedRows(state);
  const owned = sections(checklist)
    .filter(({ header }) => indices.includes(header))
    .flatMap(({ header, end }) => Array.from({ length: end - header }, (_, i) => header + i));
  return runsOf([...indices, ...owned]);
}

const levelAt = ({ rows }: Checklist, index: number) => {
  const row = rows[index];
  return row?.kind === 'header' ? row.level : undefined;
};

/** Before which row a block goes when it moves one place; a section passes whole sections, so that it takes none over. */
function destination(checklist: Checklist, { first, end }: Block, up: boolean): number | undefined {
  const { rows } = checklist;
  if (up ? first === 0 : end === rows.length) return undefined;
  const level = levelAt(checklist, first);
  if (level === undefined) return up ? first - 1 : end + 1;
  const allSections = sections(checklist);
  const headers = allSections.map(({ header }) => header);
  if (up) {
    const beside = allSections.find(section => section.end === first && section.header < first);
    return beside?.header ?? headers.findLast(header => header < first);
  }
  const next = allSections.find(({ header }) => header === end);
  if (next && (levelAt(checklist, end) ?? 0) >= level) return next.end;
  return headers.find(header => header > end) ?? rows.length;
}

/** Moves the selected blocks by one place, block by block. */
const move = (up: boolean): StateCommand =>
  textCommand(state => {
    const blocks = blocksOf(state);
    if (blocks.length === 0) return { said: 'No item here' };
    let checklist = checklistOf(state);
    let changes = ChangeSet.empty(state.doc.length);
    // Which row of the text before stands at each place now.
    let order = checklist.rows.map((_, index) => index);
    for (const block of up ? blocks : blocks.toReversed()) {
      const first = order.indexOf(block.first);
      const size = block.end - block.first;
      const index = destination(checklist, { first, end: first + size }, up);
      if (index === undefined) continue;
      const targets = Array.from({ length: size }, (_, i) => targetOf(checklist, first + i));
      const moved: TextChange[] = moveRows(checklist, targets, index);
      changes = changes.compose(ChangeSet.of(moved, checklist.text.length));
      checklist = after(checklist, moved);
      const remainingOrder = order.toSpliced(first, size);
      order = remainingOrder.toSpliced(index > first ? index - size : index, 0, ...order.slice(first, first + size));
    }
    if (changes.empty) return { said: up ? 'Already first' : 'Already last' };
    return {
      changes,
      selection: movedSelection(state, checklist, index => order.indexOf(index)),
      said: up ? 'Moved up' : 'Moved down',
    };
  }, 'move.line');

export const moveUp: StateCommand = move(true);
export const moveDown: StateCommand = move(false);

/** Writes the selected rows once more below themselves; the selection goes along, or stays. */
const duplicate = (along: boolean): StateCommand =>
  textCommand(state => {
    const checklist = checklistOf(state);
    const indices = selectedRows(state);
    if (indices.length === 0) return { said: 'No item here' };
    const runs = runsOf(indices);
    const changes = duplicateRows(
      checklist,
      indices.map(index => targetOf(checklist, index)),
    );
    const place = (index: number) =>
      runs.reduce((at, { first, end }) => (first <= index && (along || end <= index) ? at + end - first : at), index);
    return { changes, selection: movedSelection(state, after(checklist, changes), place), said: 'Duplicated' };
  }, 'input.copyline');

export const duplicateBelow: StateCommand = duplicate(true);
export const duplicateAbove: StateCommand = duplicate(false);

/** Deletes the rows whose first lines are selected, details included, and the other lines that are: details, blank ones. */
export const deleteRows: StateCommand = textCommand(state => {
  const checklist = checklistOf(state);
  const gone: { from: number; to: number }[] = [];
  for (const { from, to } of state.selection.ranges) {
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      const placed = rowAt(checklist, line.from);
      const whole = placed && line.from <= placed.start + placed.row.content.from && placed.start <= line.to;
      const range = whole ? rangeOf(checklist, placed.index) : { from: line.from, to: line.to + 1 };
      const last = gone.at(-1);
      if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
      else gone.push({ from: range.from, to: range.to });
      if (line.to >= to || line.number === state.doc.lines) break;
    }
  }
  const { length } = state.doc;
  const changes = gone.map(({ from, to }) =>
    // If the text has no final line break, the break above the last line goes with that line.
    to >= length && from > 0 && !(to === length && /\n$/.test(checklist.text))
      ? { from: from - 1, to: length }
      : { from, to: Math.min(to, length) },
  );
  return { changes, said: 'Deleted' };
}, 'delete.line');

/** Moves complete items behind open items, section by section. */
export const sortDone: StateCommand = textCommand(state => {
  const changes = done.sortDone(checklistOf(state));
  return changes.length === 0 ? { said: 'Already sorted' } : { changes, said: 'Done items moved to the end' };
});

/** Deletes complete items. */
export const clearDone: StateCommand = textCommand(state => {
  const { rows } = checklistOf(state);
  const count = rows.filter(row => row.kind === 'checkbox' && row.status.checked).length;
  if (count === 0) return { said: 'No done items' };
  const announcement = count === 1 ? '1 done item deleted' : `${count} done items deleted`;
  return { changes: done.clearDone(checklistOf(state)), said: announcement };
}, 'delete');
