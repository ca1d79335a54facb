import { checklistOf } from '../../src/editor/checklist.ts';
import { indent, outdent } from '../../src/editor/commands/kind.ts';
import { sourceOf } from '../../src/text/rows.ts';
import type { Play } from './editor-steps.ts';
import { foldAt, headersIn } from './folds.ts';
import type { Kind } from './steps.ts';
import { wordsIn } from './words.ts';

/** The most rows that a selection touches. */
const MAX_SELECTED_ROWS = 3;

/** The fewest rows that a deletion leaves. */
const MIN_ROWS_LEFT = 2;

/** One in so many selections is of whole rows. */
const WHOLE_ROWS = 5;

type View = Parameters<Play>[0]['view'];

/** The ends of a row's words. */
function wordEnds(view: View, index: number): number[] {
  const { rows, starts } = checklistOf(view.state);
  const row = rows[index];
  if (!row) return [];
  const from = (starts[index] ?? 0) + row.content.from;
  return [...row.text.matchAll(/\S+/g)].map(({ 0: word, index: at }) => from + at + word.length);
}

/** Selects from one word to another one, of one row or of several; its first word stays outside, so that the row is known. */
const select: Play = ({ view }, { at, to }) => {
  const { rows, starts } = checklistOf(view.state);
  const first = at % Math.max(1, rows.length);
  const last = Math.min(first + (Math.floor(at / 7) % MAX_SELECTED_ROWS), rows.length - 1);
  const lastRow = rows[last];
  if (!lastRow) return undefined;
  const ends = (of: number, above = -1) => wordEnds(view, of).filter(end => end > above);
  const choose = (all: readonly number[], by: number) => all[by % Math.max(1, all.length)];
  const isWhole = to % WHOLE_ROWS === 0;
  const from = isWhole ? starts[first] : choose(ends(first), Math.floor(to / 3));
  if (from === undefined) return undefined;
  const end = isWhole ? (starts[last] ?? 0) + lastRow.length : choose(ends(last, from), Math.floor(to / 5));
  if (end === undefined || end <= from) return undefined;
  const selection = to % 2 ? { anchor: from, head: end } : { anchor: end, head: from };
  view.dispatch({ selection, userEvent: 'select' });
  return `selects ${JSON.stringify(view.state.sliceDoc(from, end))}${to % 2 ? '' : ' backwards'}`;
};

/** Takes away what is selected; returns it, or nothing where too few rows would be left. */
function replaceSelection(
  { view, ledger, person, window }: Parameters<Play>[0],
  text: string,
  userEvent: string,
): string | undefined {
  const { from, to } = view.state.selection.main;
  const checklist = checklistOf(view.state);
  const { starts } = checklist;
  // Without its line break a row is joined with the next one.
  const isJoining = view.state.sliceDoc(to - 1, to) === '\n' && from > view.state.doc.lineAt(from).from;
  const end = isJoining ? to + 1 : to;
  const touched = starts.flatMap((start, index) =>
    start < end && (starts[index + 1] ?? checklist.text.length) > from ? [index] : [],
  );
  const count = touched.length;
  if (from === to || starts.length - count < MIN_ROWS_LEFT) return undefined;
  const words = touched.flatMap(index => wordsIn(sourceOf(checklist, index)));
  if (count > 1) ledger.reshape(person, words);
  ledger.deleteRow(person, words);
  const selected = view.state.sliceDoc(from, to);
  for (const word of wordsIn(selected)) window.pasted.add(word);
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent });
  return JSON.stringify(selected);
}

/** Types a word over the selection. Whole rows are deleted: the word would stand in front of the next row's mark. */
export const typeOver: Play = context => {
  const { view, window, ledger, person } = context;
  const { from, to } = view.state.selection.main;
  const isWhole = from === view.state.doc.lineAt(from).from;
  if (from === to) return undefined;
  if (isWhole) return deleteSelection(context);
  const word = ledger.newWord(person);
  const event = view.composing ? 'input.type.compose' : 'input.type';
  const over = replaceSelection(context, ` ${word}`, event);
  if (over === undefined) {
    ledger.remove('nowhere', [word]);
    return undefined;
  }
  window.lastTyped = word;
  return `types ${word} over ${over}`;
};

const deleteSelection = (context: Parameters<Play>[0]): string | undefined => {
  const deleted = replaceSelection(context, '', 'delete.selection');
  return deleted && `deletes ${deleted}`;
};

const fold: Play = ({ view }, { at }) => {
  const headers = headersIn(view.state);
  const header = headers[at % Math.max(1, headers.length)];
  return header && foldAt(view, header);
};

/** Makes a row a detail of the one above, or a detail a row again. */
const indenting =
  (command: typeof indent, name: string): Play =>
  ({ view, ledger, person }, { at }) => {
    const checklist = checklistOf(view.state);
    const { rows, starts } = checklist;
    const indexes = rows.flatMap((row, index) => (name === 'in' || row.details.length > 0 ? [index] : []));
    const index = indexes[at % Math.max(1, indexes.length)] ?? -1;
    const start = starts[index];
    if (start === undefined) return undefined;
    // A part of a split row that becomes a detail of another row is not found as that part.
    const own = wordsIn(sourceOf(checklist, index));
    if (name === 'in' && (own.length === 0 || own.some(ledger.isReshaped))) return undefined;
    const head = start + (rows[index]?.content.to ?? 0);
    view.dispatch({
      selection: { anchor: name === 'in' ? head : Math.max(head, start + (rows[index]?.length ?? 0) - 1) },
    });
    const words = [index - 1, index].flatMap(each => (rows[each] ? wordsIn(sourceOf(checklist, each)) : []));
    const before = view.state.doc;
    command(view);
    if (view.state.doc.eq(before)) return undefined;
    ledger.reshape(person, words);
    return `moves ${JSON.stringify(sourceOf(checklist, index))} ${name}`;
  };

export const selectionPlays: Partial<Record<Kind, Play>> = {
  select,
  typeOver,
  deleteSelection,
  fold,
  indent: indenting(indent, 'in'),
  outdent: indenting(outdent, 'out'),
};
