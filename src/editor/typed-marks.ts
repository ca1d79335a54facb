import { isolateHistory } from '@codemirror/commands';
import { EditorSelection, type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { builtInStatuses } from '../domain/statuses.ts';
import { convert } from '../text/convert.ts';
import { isBuiltIn, isMarked, signOf, withMandatory, withStatus } from '../text/head.ts';
import { readChecklist } from '../text/read.ts';
import { checklistOf, rowAt } from './checklist.ts';
import { blankRun } from './line.ts';

/*
 * Marks as they are typed, each completed by a blank: one behind the mark that Enter wrote replaces that, as does one before
 * the mark that a row has, and a bullet, a number or a box at a row's start becomes the mark that pasting makes of it. `!`
 * at a row's start makes the row a mandatory item. Bullets that are typed in a detail stay there, in place of the bullet that
 * Enter wrote.
 */

/** The range of a mark that a command has written: `- `, `> `, or a bullet behind the mark of a detail. */
export interface AutomaticMark {
  from: number;
  to: number;
}

/** Marks that a command writes. */
export const writtenMarksEffect = StateEffect.define<readonly AutomaticMark[]>();

/** The automatic marks that nothing has changed yet. */
export const automaticMarks = StateField.define<readonly AutomaticMark[]>({
  create: () => [],
  update: (marks, { changes, docChanged, effects }) => {
    const written = effects.flatMap(effect => (effect.is(writtenMarksEffect) ? effect.value : []));
    if (!docChanged || marks.length + written.length === 0) return marks;
    const remainingMarks = marks.flatMap(mark => {
      const moved = { from: changes.mapPos(mark.from, 1), to: changes.mapPos(mark.to, -1) };
      return moved.to - moved.from === mark.to - mark.from ? [moved] : [];
    });
    return [...remainingMarks, ...written];
  },
});

const ownMark = /^(?:[-+~x>]|#{1,6}) $/;

/**
 * The list marks of other notations: a box, perhaps optional and behind a bullet, or a bullet, or the first number.
 * Other numbers begin sentences, such as "12. November", more often than lists.
 */
const foreignMark = /^(?:(?:[-+~*•]|1[.)]) )?\[[ xX✓✔~]?\]\?? $|^(?:[*•]|1[.)]) $/;

/** The mark that pasting makes of a foreign one. */
function pasted(typed: string): string | undefined {
  const { text } = convert(`${typed}w`, 'auto');
  return text.endsWith(' w') && !text.includes('\n') ? text.slice(0, -1) : undefined;
}

/** A bullet or a number, which says nothing about the status of an item that has a mark. */
const bullet = /^(?:[*•]|1[.)]) $/;

/** Typed at the start of a row that is no item yet, or before the mark of an item. */
const mandatory = '! ';
const MANDATORY_MARK = '- ! ';

/** Bullets and numbers in an automatic detail: its own, as they are in any other detail. */
const detailBullet = /^(?:[-*•]|1[.)]) /;

const onlyBullet = /^(?:[-*•]|1[.)]) $/;
const BULLET_MARK = 'bullet';

interface Replacement {
  from: number;
  to: number;
  insert: string;
  /** The mark that was meant, such as `+`, or `bullet` in a detail. */
  mark: string;
}

/** The head of a marked line, before its words, and its row unless the line is a detail. */
function markedHead(state: EditorState, text: string, hasRowAbove: boolean) {
  const detail = hasRowAbove ? /^[ \t\xa0]*>[ \t\xa0]*/.exec(text) : null;
  if (detail) return { head: detail[0], row: undefined };
  const [row] = readChecklist(text, checklistOf(state).statuses).rows;
  const head = text.slice(0, row?.content.from ?? 0);
  return isMarked(head) ? { head, row } : undefined;
}

/** The replacement if a mark is typed before an existing mark. */
function overMark(state: EditorState, from: number, position: number, typed: string, mark: string): Replacement {
  const line = state.doc.lineAt(position);
  const hasRowAbove = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  const headBehind = markedHead(state, line.text.slice(position - line.from), hasRowAbove);
  const plain = { from, to: position, insert: mark, mark: mark.trim() };
  if (!headBehind) return plain;
  const { head, row } = headBehind;
  const status = builtInStatuses.find(each => signOf(each) === plain.mark);
  const to = position + head.length;
  // The `!` stays.
  if (row?.kind !== 'checkbox' || !status) return { ...plain, to };
  const item = (bullet.test(typed) ? head : withStatus(head, row.status, status)).trimStart();
  return { ...plain, to, insert: /\s$/.test(item) ? item : `${item} ` };
}

/** The change that makes the item mandatory before which `!` has been typed; none in headers and details. */
function asMandatory(state: EditorState, from: number, position: number): Replacement | undefined {
  const line = state.doc.lineAt(position);
  const hasRowAbove = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  const headBehind = markedHead(state, line.text.slice(position - line.from), hasRowAbove);
  if (!headBehind) return { from, to: position, insert: MANDATORY_MARK, mark: '!' };
  const { head, row } = headBehind;
  if (row?.kind !== 'checkbox') return undefined;
  const insert = withMandatory(head, row.mandatory, true).trimStart();
  return { from, to: position + head.length, insert, mark: '!' };
}

/** The change that a mark means which has just been typed before a position. */
function changeAt(state: EditorState, position: number): Replacement | undefined {
  const line = state.doc.lineAt(position);
  const before = line.text.slice(0, position - line.from);
  const from = line.from + blankRun(before).length;
  const automatic = state.field(automaticMarks).findLast(mark => mark.from >= line.from && mark.to <= position);
  const isAutomatic = automatic?.from === from;
  const typed = before.slice((isAutomatic ? automatic.to : from) - line.from);
  if (automatic && !isAutomatic) {
    const insert = state.sliceDoc(automatic.to, position);
    return onlyBullet.test(insert) ? { ...automatic, to: position, insert, mark: BULLET_MARK } : undefined;
  }
  if (typed === mandatory && !isAutomatic) return asMandatory(state, from, position);
  const isDetail = isAutomatic && state.sliceDoc(from, from + 1) === '>';
  if (isDetail && detailBullet.test(typed)) return undefined;
  if (ownMark.test(typed)) {
    const change = overMark(state, from, position, typed, typed);
    return isAutomatic || change.to > position ? change : undefined;
  }
  const row = rowAt(checklistOf(state), line.from)?.row;
  // A status may be named as a box looks.
  if (!foreignMark.test(typed) || (row?.kind === 'checkbox' && !isBuiltIn(row.status))) return undefined;
  const insert = pasted(typed);
  return insert === undefined ? undefined : overMark(state, from, position, typed, insert);
}

/** The changes at all cursors, a line's first one only. */
function changesIn(state: EditorState) {
  const replacements = new Map<number, Replacement>();
  for (const { head, empty } of state.selection.ranges) {
    const change = empty ? changeAt(state, head) : undefined;
    if (change && !replacements.has(change.from)) replacements.set(change.from, change);
  }
  return [...replacements.values()];
}

const names: Record<string, string> = {
  '-': 'To do',
  '+': 'Done',
  '~': 'In progress',
  x: 'Skipped',
  '>': 'Detail',
  '!': 'Mandatory',
  [BULLET_MARK]: 'Bullet',
};

/** Whether a blank typed at some cursor may complete a mark: most blanks do not, and need no closer look. */
const mayComplete = (state: EditorState): boolean =>
  state.selection.ranges.every(({ empty }) => empty) &&
  state.selection.ranges.some(({ head }) => {
    const line = state.doc.lineAt(head);
    const before = line.text.slice(0, Math.min(head - line.from, 99)).trimStart();
    return (
      head - line.from < 99 &&
      /^(?:[->] |> (?:[-*+•]|\d{1,3}[.)]) (?:\[ \] )?)?(?:[-+~x>*•!]|#{1,6}|1[.)]|.{0,3}\[.?\]\??)$/.test(before)
    );
  });

/** Inserts the typed character first, so that undo reverts the mark alone. */
const onInput = EditorView.inputHandler.of((view, _from, _to, text, insert) => {
  if (text !== ' ' || view.composing || view.state.readOnly || !mayComplete(view.state)) return false;
  view.dispatch(insert());
  const changes = changesIn(view.state);
  const [first] = changes;
  if (!first) return true;
  const set = view.state.changes(changes);
  const { mark } = first;
  view.dispatch({
    changes: set,
    selection: EditorSelection.create(
      view.state.selection.ranges.map(({ head }) => EditorSelection.cursor(set.mapPos(head, 1))),
      view.state.selection.mainIndex,
    ),
    userEvent: 'input.mark',
    scrollIntoView: true,
    annotations: isolateHistory.of('full'),
    effects: EditorView.announce.of(names[mark] ?? `Header level ${mark.length}`),
  });
  return true;
});

export const typedMarks: Extension = [automaticMarks, onInput];
