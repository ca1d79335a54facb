import { EditorSelection, type EditorState, type SelectionRange, type StateCommand } from '@codemirror/state';
import { applyChanges } from '../../text/document.ts';
import { readChecklist } from '../../text/read.ts';
import type { TextChange } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { blankRun, type RowLine, rowLine } from '../line.ts';
import { writtenMarksEffect } from '../typed-marks.ts';

/** The line at a position if it bears a mark; none for blank lines and items without one. */
function markedLine(state: EditorState, position: number): RowLine | undefined {
  const line = rowLine(state, position);
  return line && line.prefix !== '' ? line : undefined;
}

/** A change, and the cursor's position after it. */
interface Step {
  change: TextChange & { to: number; insert: string };
  cursor: number;
  /** How long the new mark before the cursor is, or the bullet behind the mark of a detail. */
  markLength?: number;
}

/** A bullet or a number at the start of a detail's words, with its box. */
const detailBullet = /^(?:[-*+•]|(\d{1,3})([.)]))[ \t]+(?:\[[ xX]\][ \t]+)?/;

/** The bullet of the next detail: the next number, an open box, or the same bullet. */
const nextBullet = (bullet: string): string =>
  bullet.replace(/^\d+/, number => String(Number(number) + 1)).replace(/\[[xX]\]/, '[ ]');

/**
 * The change that Enter makes in a marked line. The next line gets the mark of an open item, or of a detail with the
 * next bullet. In a line without words, Enter removes the bullet, or else the mark, which ends the list. A new item
 * goes below the details of the item before, so that they stay with that item.
 */
function continueLine(state: EditorState, { from, to, empty }: SelectionRange): Step | undefined {
  const line = markedLine(state, from);
  if (!line || line.kind === 'header' || from < line.words) return undefined;
  const detailBulletText =
    line.kind === 'detail' ? detailBullet.exec(state.sliceDoc(line.words, line.to))?.[0] : undefined;
  const bullet = detailBulletText !== undefined && from >= line.words + detailBulletText.length ? detailBulletText : '';
  const words = line.words + bullet.length;
  const blank = state.sliceDoc(words, line.to).trim() === '';
  if (empty && blank && bullet !== '') {
    return { change: { from: line.words, to: line.to, insert: '' }, cursor: line.words };
  }
  if (empty && blank && line.detailsEnd === undefined) {
    return { change: { from: line.from, to: line.to, insert: '' }, cursor: line.from };
  }
  const textBehind = state.sliceDoc(to, state.doc.lineAt(to).to);
  const newBullet = nextBullet(bullet);
  const mark = `${line.indent}${line.kind === 'item' ? '- ' : '> '}${newBullet}`;
  const markLength = newBullet.length || '- '.length;
  const below = line.kind === 'item' && empty && textBehind.trim() === '' ? line.detailsEnd : undefined;
  const end = below ?? (empty && textBehind === '' ? to : undefined);
  if (end !== undefined && end < state.doc.length) {
    // The new line gets its own break, so that undo removes exactly that line, whatever other users put above it.
    const at = end + 1;
    return { change: { from: at, to: at, insert: `${mark}\n` }, cursor: at + mark.length, markLength };
  }
  const [at, stop] = [end ?? from, end ?? to + blankRun(textBehind).length];
  return { change: { from: at, to: stop, insert: `\n${mark}` }, cursor: at + 1 + mark.length, markLength };
}

/**
 * The change that Backspace makes right behind a mark: it deletes the whole mark, if the line is then an open item of
 * the same words. If the words alone would read as something else, such as `x ray`, Backspace deletes one character as
 * usual.
 */
function removeLineMark(state: EditorState): Step | undefined {
  const { from, empty } = state.selection.main;
  const line = markedLine(state, from);
  if (!empty || !line || from !== line.words || /\S\s+\S/.test(line.prefix)) return undefined;
  const start = line.from + line.indent.length;
  const change = { from: start, to: line.words, insert: '' };
  const words = state.sliceDoc(line.words, line.to).trim();
  const checklist = checklistOf(state);
  const row = rowAt(
    readChecklist(applyChanges(checklist.text, [change]), checklist.statuses, checklist),
    line.from,
  )?.row;
  const keeps =
    words === ''
      ? row === undefined && line.detailsEnd === undefined
      : row?.kind === 'checkbox' && row.text.trim() === words && row.status.slug === 'todo' && !row.mandatory;
  return keeps ? { change, cursor: start } : undefined;
}

/** Enter in a list, at each cursor; at a cursor outside of a marked line it only breaks the line. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const steps = state.selection.ranges.map(range => continueLine(state, range));
  if (steps.every(step => step === undefined)) return false;
  const remainingSteps = [...steps];
  const { changes, selection } = state.changeByRange(({ from, to }) => {
    const { change, cursor } = remainingSteps.shift() ?? { change: { from, to, insert: '\n' }, cursor: from + 1 };
    return { changes: change, range: EditorSelection.cursor(cursor) };
  });
  const marks = selection.ranges.flatMap(({ head }, i) => {
    const length = steps[i]?.markLength;
    return length === undefined ? [] : [{ from: head - length, to: head }];
  });
  dispatch(
    state.update({
      changes,
      selection,
      effects: writtenMarksEffect.of(marks),
      userEvent: 'input',
      scrollIntoView: true,
    }),
  );
  return true;
};

/** Backspace behind a mark. */
export const removeMark: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly || state.selection.ranges.length > 1) return false;
  const unmarking = removeLineMark(state);
  if (!unmarking) return false;
  dispatch(
    state.update({
      changes: unmarking.change,
      selection: EditorSelection.cursor(unmarking.cursor),
      userEvent: 'delete.backward',
      scrollIntoView: true,
    }),
  );
  return true;
};
