import { ChangeSet, EditorSelection, type EditorState, type StateCommand } from '@codemirror/state';
import { detachDetail, headOf, makeDetail, makeHeader, makeItem, setLevel } from '../../text/edits/kind.ts';
import { EditRefused } from '../../text/errors.ts';
import { lastRowBefore } from '../../text/rows.ts';
import type { Checklist, HeaderRow, TextChange } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { type Former, formerMarks, remember } from './former.ts';
import { forEach, type SelectedRow, type Step, textCommand } from './rows.ts';

/** The level of the section that a row is in; 1 above all headers. */
function levelAround({ rows }: Checklist, index: number): HeaderRow['level'] {
  const above = rows.slice(0, index).findLast(row => row.kind === 'header');
  return above?.kind === 'header' ? above.level : 1;
}

/** A line of a row: its own, or one of its details. */
interface Line extends SelectedRow {
  /** The start of the line. */
  from: number;
  /** Counted from 0; `undefined` for the row's own line. */
  detail: number | undefined;
}

/** The lines that the selection touches, in order. A line that the selection only ends before does not count. */
function selectedLines(state: EditorState, ranges = state.selection.ranges): Line[] {
  const checklist = checklistOf(state);
  const lines = new Map<number, Line>();
  for (const { from, to } of ranges) {
    for (let { number } = state.doc.lineAt(from); number <= state.doc.lines; number++) {
      const line = state.doc.line(number);
      if (line.from > to || (line.from === to && from < line.from)) break;
      const placed = rowAt(checklist, line.from);
      if (!placed) continue;
      const { row, start, index } = placed;
      const detail = row.details.findIndex(part => start + part.from >= line.from && start + part.to <= line.to);
      lines.set(line.from, {
        row,
        target: { index, text: row.text },
        from: line.from,
        detail: detail < 0 ? undefined : detail,
      });
    }
  }
  return [...lines.values()].sort((a, b) => a.from - b.from);
}

const isHeader = ({ row, detail }: Line) => row.kind === 'header' && detail === undefined;
const isItem = ({ row, detail }: Line) => row.kind === 'checkbox' && detail === undefined;

/** The head that a line had before a command made a detail or a header of it. */
const formerAt = (state: EditorState, { from }: Line) =>
  state.field(formerMarks, false)?.find(({ at }) => at === from)?.text;

type Edit = (checklist: Checklist, line: Line) => TextChange[];

/** The selection after changes of marks: it touches the same lines, though a mark in which it ends is gone. */
function keptSelection({ doc, selection }: EditorState, changes: ChangeSet): EditorSelection {
  const after = changes.apply(doc);
  const follow = (position: number) => {
    const movedPosition = changes.mapPos(position, 1);
    const inLine = doc.lineAt(position).from < position && after.lineAt(movedPosition).from === movedPosition;
    return inLine ? Math.min(movedPosition + 1, after.lineAt(movedPosition).to) : movedPosition;
  };
  return EditorSelection.create(
    selection.ranges.map(({ anchor, head }) => EditorSelection.range(follow(anchor), follow(head))),
    selection.mainIndex,
  );
}

/**
 * Edits lines one by one. If `former` gives the replaced marks, they are remembered, so that a later command can
 * restore them.
 */
function edited(state: EditorState, lines: readonly Line[], edit: Edit, said: string, former?: typeof headOf): Step {
  const checklist = checklistOf(state);
  const set = ChangeSet.of(
    forEach(lines, line => edit(checklist, line)),
    state.doc.length,
  );
  const changes = { changes: set, selection: keptSelection(state, set), said };
  if (!former) return changes;
  const formerTexts = lines.flatMap((line): Former[] => {
    const { from, text } = former(checklist, line.target);
    return set.touchesRange(from, from + text.length) ? [{ at: set.mapPos(from, -1), text }] : [];
  });
  return { ...changes, effects: [remember.of(formerTexts)] };
}

/** The head of an item's own line, without blank lines above it. */
const ownHead: typeof headOf = (checklist, target) => {
  const { from, text } = headOf(checklist, target);
  const blank = text.lastIndexOf('\n') + 1;
  return { from: from + blank, text: text.slice(blank) };
};

/** The lines that a command works on; without such lines, the command says so and keeps the key. */
const lineCommand = (step: (state: EditorState, lines: readonly Line[]) => Step): StateCommand =>
  textCommand(state => {
    const lines = selectedLines(state);
    return lines.length === 0 ? { said: 'No item here' } : step(state, lines);
  });

/** Gives headers other levels, all of them or none, so that the opposite step gives the text back. */
function shifted(state: EditorState, headers: readonly Line[], by: 1 | -1): Step {
  const levels = headers.flatMap(({ row }) => (row.kind === 'header' ? [row.level + by] : []));
  if (levels.some(level => level < 1)) return { said: 'Level 1 is the highest' };
  if (levels.some(level => level > 6)) return { said: 'Level 6 is the lowest' };
  const edit: Edit = (checklist, { row, target }) =>
    row.kind === 'header' ? setLevel(checklist, target, (row.level + by) as HeaderRow['level']) : [];
  return edited(state, headers, edit, `Header level ${levels.join(', ')}`);
}

const toItems = (state: EditorState, lines: readonly Line[]): Step =>
  edited(
    state,
    lines,
    (checklist, line) =>
      line.detail === undefined
        ? makeItem(checklist, line.target, formerAt(state, line))
        : detachDetail(checklist, line.target, line.detail, formerAt(state, line)),
    'Item',
  );

const toDetails = (state: EditorState, lines: readonly Line[]): Step =>
  edited(state, lines, (checklist, { target }) => makeDetail(checklist, target), 'Detail', headOf);

const toHeaders = (state: EditorState, lines: readonly Line[]): Step =>
  edited(
    state,
    lines,
    (checklist, { target }) => makeHeader(checklist, target, levelAround(checklist, target.index)),
    'Header',
    ownHead,
  );

/**
 * One step towards the top: headers go up a level, details become items again, at first those that `indent` made. Taken
 * back by `indent`.
 */
export const outdent: StateCommand = lineCommand((state, lines) => {
  const headers = lines.filter(isHeader);
  if (headers.length > 0) return shifted(state, headers, -1);
  const detailLines = lines.filter(({ detail }) => detail !== undefined);
  const indented = detailLines.filter(line => formerAt(state, line) !== undefined);
  const details = indented.length > 0 ? indented : detailLines;
  return details.length > 0 ? toItems(state, details) : { said: 'This is an item already' };
});

/** One step down: headers go down a level, items become details of the row above. Taken back by `outdent`. */
export const indent: StateCommand = lineCommand((state, lines) => {
  const headers = lines.filter(isHeader);
  if (headers.length > 0) return shifted(state, headers, 1);
  const items = lines.filter(isItem);
  return items.length > 0 ? toDetails(state, items) : { said: 'This is a detail already' };
});

/** The kind of row or line that the main cursor stands in; none on a blank line. */
export function kindAt(state: EditorState): 'item' | 'header' | 'detail' | undefined {
  const { head } = state.selection.main;
  const [line] = selectedLines(state, [EditorSelection.cursor(head)]);
  if (!line) return undefined;
  return isHeader(line) ? 'header' : isItem(line) ? 'item' : 'detail';
}

/** A mark at the start of the blank line that the cursor stands in. */
function begun(state: EditorState, mark: string, said: string): Step {
  const line = state.doc.lineAt(state.selection.main.head);
  const at = line.from + mark.length + 1;
  return {
    changes: { from: line.from, to: line.to, insert: `${mark} ` },
    selection: EditorSelection.single(at),
    said,
  };
}

/** Makes headers of the selected items, or items again if all are headers. On a blank line it begins a header. */
export const toggleHeader: StateCommand = textCommand(state => {
  const lines = selectedLines(state);
  if (lines.length === 0) {
    const checklist = checklistOf(state);
    const index = lastRowBefore(checklist, state.selection.main.head) + 1;
    return begun(state, '#'.repeat(levelAround(checklist, index)), 'Header');
  }
  if (lines.every(isHeader)) return toItems(state, lines);
  const items = lines.filter(isItem);
  if (items.length === 0)
    throw new EditRefused('NOT_AN_ITEM', "A detail can't become a header. Make it an item first.");
  return toHeaders(state, items);
});

/** Makes details of the selected items, or items again if all are details. On a blank line it begins a detail. */
export const toggleDetail: StateCommand = textCommand(state => {
  const lines = selectedLines(state);
  if (lines.length === 0) {
    const { number } = state.doc.lineAt(state.selection.main.head);
    const above = number > 1 && rowAt(checklistOf(state), state.doc.line(number - 1).from);
    return above ? begun(state, '>', 'Detail') : { said: 'There is no item above for a detail.' };
  }
  if (lines.every(({ detail }) => detail !== undefined)) return toItems(state, lines);
  const items = lines.filter(isItem);
  if (items.length === 0) throw new EditRefused('NOT_AN_ITEM', "A header can't become a detail.");
  return toDetails(state, items);
});

/** Makes items of the selected headers and details. */
export const toItem: StateCommand = lineCommand((state, lines) => {
  const otherLines = lines.filter(line => !isItem(line));
  return otherLines.length > 0 ? toItems(state, otherLines) : { said: 'This is an item already' };
});
