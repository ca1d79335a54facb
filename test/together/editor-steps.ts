import { insertNewline, redo, undo } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import { checklistOf } from '../../src/editor/checklist.ts';
import { continueList } from '../../src/editor/commands/continue.ts';
import { deleteRows, moveDown, moveUp } from '../../src/editor/commands/move.ts';
import { chooseAll } from '../../src/editor/index.ts';
import { rowIdsOf } from '../../src/editor/row-ids.ts';
import { rangeOf, sourceOf } from '../../src/text/rows.ts';
import { type EditorWindow, nameOf } from './editor-window.ts';
import type { Ledger } from './ledger.ts';
import { choicesIn, offeredIn, placeOf } from './rows.ts';
import { selectionPlays, typeOver } from './selection-steps.ts';
import type { Kind, Step } from './steps.ts';
import { wordsIn } from './words.ts';

type View = NonNullable<EditorWindow['opened']>['view'];

/** What a step in an editor needs. */
export interface EditorContext {
  window: EditorWindow;
  view: View;
  ledger: Ledger;
  /** The window of the step, as its words and its removals are known by. */
  person: number;
  /** Reports a broken law. */
  report(broken: string): void;
}

/** Makes a step; returns what it did, or nothing where there was nothing to do. */
export type Play = (context: EditorContext, step: Step) => string | undefined;

const MIN_ROWS = 3;

const rowCount = (view: View) => checklistOf(view.state).rows.length;

/** Puts the cursor to the end of a row's line. */
function goto(view: View, at: number): number | undefined {
  const { rows, starts } = checklistOf(view.state);
  if (rows.length === 0) return undefined;
  const index = at % rows.length;
  const anchor = (starts[index] ?? 0) + (rows[index]?.content.to ?? 0);
  view.dispatch({ selection: { anchor }, userEvent: 'select' });
  return index;
}

const shown = (text: string | undefined) => JSON.stringify(text?.trimEnd());

const rowOf = (view: View) => {
  const place = placeOf(view.state, view.state.selection.main.head);
  return place ? `${place.token ?? shown(place.source)}` : 'no row';
};

const insert = (view: View, text: string, at = view.state.selection.main.head): TransactionSpec => ({
  changes: { from: at, insert: text },
  selection: { anchor: at + text.length },
  userEvent: view.composing ? 'input.type.compose' : 'input.type',
});

/** The places inside a row's words where one more can be typed: not inside of those that are looked for. */
function placesIn({ row, source }: NonNullable<ReturnType<typeof placeOf>>): number[] {
  const { from, to } = row.content;
  const inside = (at: number) => /[WR][a-j]*Z?$/.test(source.slice(0, at)) || /^[WR]?[a-j]*Z/.test(source.slice(at));
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index).filter(at => !inside(at));
}

const type: Play = (context, step) => {
  const { view, window, ledger, person, report } = context;
  const { at, to } = step;
  if (!view.state.selection.main.empty) return typeOver(context, step);
  const word = ledger.newWord(person);
  const { head } = view.state.selection.main;
  const place = placeOf(view.state, head);
  const { isStranded } = window;
  // The row may be a part of a split one.
  if (!place?.token) ledger.reshape(person, [word]);
  const before = wordsIn(view.state.doc.toString());
  if (isStranded || view.composing || !place || to % 4 === 0) {
    const line = view.state.doc.lineAt(head);
    const isApart = isStranded || head === line.from || /\s$/.test(view.state.sliceDoc(line.from, head));
    view.dispatch(insert(view, isApart ? word : ` ${word}`));
  } else {
    const { start, row } = place;
    const [first, last] = [start + row.content.from, start + row.content.to];
    const places = placesIn(place);
    const middle = places[at % Math.max(1, places.length)];
    if (to % 4 === 1 || middle === undefined) view.dispatch(insert(view, ` ${word}`, last));
    else if (to % 4 === 2) view.dispatch(insert(view, `${word} `, first));
    else view.dispatch(insert(view, word, start + middle));
  }
  if (isStranded) {
    const own = placeOf(view.state, view.state.selection.main.head)?.source ?? '';
    if (wordsIn(own).some(other => other !== word && before.includes(other)))
      report(`${word} was typed after the cursor's row was deleted, and is in ${shown(own)}`);
  }
  window.lastTyped = word;
  return `types ${word} in ${rowOf(view)}, which is ${shown(placeOf(view.state, view.state.selection.main.head)?.source)}`;
};

const enter: Play = ({ view, ledger, person }, { at, to }) => {
  if (goto(view, at) === undefined) return undefined;
  const above = rowOf(view);
  // What stands below the row's first line goes to the new row.
  const { source = '' } = placeOf(view.state, view.state.selection.main.head) ?? {};
  if (source.trimEnd().includes('\n')) ledger.reshape(person, wordsIn(source));
  if (!continueList(view)) insertNewline(view);
  const token = ledger.newToken(person);
  view.dispatch(insert(view, to % 2 ? token : `${token} ${ledger.newWord(person)}`));
  return `adds ${token} below ${above}`;
};

/** Cuts a row, which a later step pastes. */
const cut: Play = ({ view, window, ledger, person }, { at }) => {
  const checklist = checklistOf(view.state);
  const count = checklist.rows.length;
  if (count < MIN_ROWS || window.clipboard !== undefined || !checklist.text.endsWith('\n')) return undefined;
  const index = at % count;
  window.clipboard = sourceOf(checklist, index);
  // Until it is pasted it is a deleted row.
  ledger.deleteRow(person, wordsIn(window.clipboard));
  view.dispatch({ changes: rangeOf(checklist, index), userEvent: 'delete.cut' });
  return `cuts ${shown(window.clipboard)}`;
};

const paste: Play = ({ view, window }, { to }) => {
  const source = window.clipboard;
  const { starts, text } = checklistOf(view.state);
  if (source === undefined || !text.endsWith('\n')) return undefined;
  window.clipboard = undefined;
  for (const word of wordsIn(source)) window.pasted.add(word);
  const place = [...starts, text.length][to % (starts.length + 1)] ?? 0;
  view.dispatch({
    changes: { from: place, insert: source },
    selection: { anchor: place + source.length },
    userEvent: 'input.paste',
  });
  return `pastes ${shown(source)} as row ${(to % (starts.length + 1)) + 1}`;
};

/** Types over a word of a row; its first one stays. */
const overtype: Play = ({ view, ledger, person }, { at, to }) => {
  if (goto(view, at) === undefined) return undefined;
  const place = placeOf(view.state, view.state.selection.main.head);
  if (!place) return undefined;
  const { start, row } = place;
  const words = [...row.text.matchAll(/\S+/g)].slice(1);
  const chosen = words[to % Math.max(1, words.length)];
  if (!chosen) return undefined;
  const from = start + row.content.from + chosen.index;
  const word = ledger.newWord(person);
  view.dispatch({
    changes: { from, to: from + chosen[0].length, insert: word },
    selection: { anchor: from + word.length },
    userEvent: 'input.type',
  });
  return `types ${word} over ${shown(chosen[0])} in ${rowOf(view)}`;
};

const moving =
  (command: typeof moveUp, name: string): Play =>
  ({ view }, { at }) => {
    if (goto(view, at) === undefined) return undefined;
    const row = rowOf(view);
    command(view);
    return `moves ${row} ${name}`;
  };

const deleteRow: Play = ({ view, ledger, person }, { at }) => {
  if (rowCount(view) < MIN_ROWS || goto(view, at) === undefined) return undefined;
  ledger.deleteRow(person, wordsIn(placeOf(view.state, view.state.selection.main.head)?.source ?? ''));
  const row = rowOf(view);
  deleteRows(view);
  return `deletes ${row}`;
};

/** The row that has a word, or that the cursor is in, and its lasting id. */
function placedRow(state: EditorState, word?: string) {
  const place = placeOf(state, word === undefined ? state.selection.main.head : state.doc.toString().indexOf(word));
  return { id: rowIdsOf(state)[place?.index ?? -1], words: wordsIn(place?.source ?? '') };
}

/** Undo takes away what the person typed, and nothing else; choices that come back show the other words. */
const undoStep: Play = ({ view, ledger, person, report, window }) => {
  const { state } = view;
  const before = wordsIn(state.doc.toString());
  const { lastTyped } = window;
  window.lastTyped = undefined;
  if (!undo(view)) {
    if (lastTyped && before.includes(lastTyped)) report(`undo does not take ${lastTyped} away, which was typed last`);
    return undefined;
  }
  const after = wordsIn(view.state.doc.toString());
  if (lastTyped && after.includes(lastTyped)) report(`undo leaves ${lastTyped}, which was typed last`);
  const open = offeredIn(view.state);
  const lost = before.filter(word => !after.includes(word));
  if (lost.length > 0) ledger.deleteRow(person, lost);
  const [typed, cursor] = [placedRow(state, lastTyped), placedRow(view.state)];
  // The cursor that comes back stood at another place of the row, which is a part of its own since.
  const isSplit = typed.words.some(ledger.isReshaped);
  const isOneWord = lost.length === 1 && lost[0] === lastTyped && view.state.selection.main.empty;
  const hasSameRows = rowIdsOf(view.state).join() === rowIdsOf(state).join();
  if (isOneWord && hasSameRows && typed.id !== cursor.id && !isSplit)
    report(`undo of ${lastTyped} leaves the cursor in another row: ${rowOf(view)}`);
  for (const word of lost)
    if (ledger.authorOf(word) !== person && !open.includes(word) && !window.pasted.has(word))
      report(`undo took ${word} away, which another user typed`);
  const back = after.filter(word => !before.includes(word));
  return `undoes: ${lost.map(word => `-${word}`)} ${back.map(word => `+${word}`)}`;
};

const redoStep: Play = ({ view }) => {
  return redo(view) ? 'redoes' : undefined;
};

const decide =
  (side: 'mine' | 'theirs'): Play =>
  ({ window, view, ledger }) => {
    const open = choicesIn(view.state);
    if (open.length === 0) return undefined;
    chooseAll(view, side);
    const left = wordsIn(view.state.doc.toString());
    const said = open.flatMap(({ conflict }) => wordsIn(`${conflict.mine} ${conflict.theirs}`));
    ledger.remove(
      nameOf(window),
      said.filter(word => !left.includes(word)),
    );
    return `takes ${side}`;
  };

const split: Play = ({ view, ledger, person }, { at, to }) => {
  if (goto(view, at) === undefined) return undefined;
  const place = placeOf(view.state, view.state.selection.main.head);
  const blanks = place ? [...place.row.text.matchAll(/ /g)].map(({ index }) => index) : [];
  const blank = blanks[to % Math.max(1, blanks.length)];
  if (!place || blank === undefined) return undefined;
  ledger.reshape(person, wordsIn(place.source));
  view.dispatch({ selection: { anchor: place.start + place.row.content.from + blank } });
  if (!continueList(view)) insertNewline(view);
  return `splits ${shown(place.source)}`;
};

const join: Play = ({ view, ledger, person }, { at }) => {
  const index = goto(view, at);
  if (index === undefined || index === 0) return undefined;
  const place = placeOf(view.state, view.state.selection.main.head);
  if (!place) return undefined;
  const { start, row } = place;
  ledger.reshape(person, wordsIn(place.source + (placeOf(view.state, start - 1)?.source ?? '')));
  view.dispatch({
    changes: { from: start - 1, to: start + row.content.from, insert: ' ' },
    selection: { anchor: start },
    userEvent: 'delete.backward',
  });
  return `joins ${shown(place.source)} with the row above`;
};

export const editorPlays: Partial<Record<Kind, Play>> = {
  ...selectionPlays,
  type,
  enter,
  cut,
  paste,
  overtype,
  deleteRow,
  split,
  join,
  moveUp: moving(moveUp, 'up'),
  moveDown: moving(moveDown, 'down'),
  undo: undoStep,
  redo: redoStep,
  takeMine: decide('mine'),
  takeTheirs: decide('theirs'),
  goto: ({ view }, { at }) => {
    return goto(view, at) === undefined ? undefined : `goes to ${rowOf(view)}`;
  },
};
