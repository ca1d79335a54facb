import { SearchCursor } from '@codemirror/search';
import { EditorSelection, type EditorState, type SelectionRange, type StateCommand } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { closedChips, cutsChip } from './shown.ts';

/** The maximum number of occurrences that are selected at once. */
const MAX_OCCURRENCES = 1000;

/** The word at a position, or the chip that it is a part of. */
function wordAt(state: EditorState, position: number): SelectionRange | null {
  const word = state.wordAt(position);
  const chip = closedChips(state, position, position).find(
    ({ from, to }) => (from <= position && to > position) || (to === position && !word),
  );
  return chip ? EditorSelection.range(chip.from, chip.to) : word;
}

/** The occurrences of a text from a position on. None of them is inside a chip. */
function* occurrences(state: EditorState, text: string, from: number, wholeWord: boolean): Generator<SelectionRange> {
  const cursor = new SearchCursor(state.doc, text, from);
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    const { value } = next;
    if (cutsChip(state, value.from, value.to)) continue;
    const word = wholeWord ? state.wordAt(value.from) : undefined;
    if (wholeWord && (word?.from !== value.from || word.to !== value.to)) continue;
    yield EditorSelection.range(value.from, value.to);
  }
}

/** The common text of all selections, and whether it is a word. */
function sought(state: EditorState): { text: string; wholeWord: boolean } | undefined {
  const { main, ranges } = state.selection;
  const text = state.sliceDoc(main.from, main.to);
  if (ranges.some(({ from, to }) => state.sliceDoc(from, to) !== text || cutsChip(state, from, to))) return undefined;
  const word = state.wordAt(main.head);
  return { text, wholeWord: word !== null && word.from === main.from && word.to === main.to };
}

/** Selects the word or chip at each cursor, and with a selection the next occurrence of its text. */
export const selectNextOccurrence: StateCommand = ({ state, dispatch }) => {
  const { ranges, mainIndex } = state.selection;
  if (ranges.some(({ empty }) => empty)) {
    const words = ranges.map(range => (range.empty ? (wordAt(state, range.head) ?? range) : range));
    if (words.every((word, index) => word === ranges[index])) return false;
    dispatch(state.update({ selection: EditorSelection.create(words, mainIndex), userEvent: 'select' }));
    return true;
  }
  const query = sought(state);
  const last = ranges.at(-1);
  if (!query || !last) return false;
  for (const start of [last.to, 0]) {
    for (const occurrence of occurrences(state, query.text, start, query.wholeWord)) {
      if (ranges.some(({ from }) => from === occurrence.from)) continue;
      dispatch(
        state.update({
          selection: state.selection.addRange(occurrence, false),
          effects: EditorView.scrollIntoView(occurrence.to),
          userEvent: 'select',
        }),
      );
      return true;
    }
  }
  return false;
};

/** Selects all occurrences of the selected text. */
export const selectOccurrences: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection;
  const query = main.empty || ranges.length > 1 ? undefined : sought(state);
  if (!query) return false;
  const matches: SelectionRange[] = [];
  for (const range of occurrences(state, query.text, 0, false)) {
    matches.push(range);
    if (matches.length > MAX_OCCURRENCES) return false;
  }
  const index = matches.findIndex(({ from }) => from === main.from);
  dispatch(
    state.update({
      selection: EditorSelection.create(matches, Math.max(0, index)),
      userEvent: 'select.search.matches',
    }),
  );
  return true;
};
