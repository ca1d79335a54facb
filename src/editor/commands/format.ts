import { syntaxTree } from '@codemirror/language';
import { ChangeSet, EditorSelection, type EditorState, type StateCommand } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { type Emphasis, LINK_START, toggleEmphasis, toggleLink, wordsIn } from '../../text/edits/format.ts';
import { checklistOf } from '../checklist.ts';
import { textCommand } from './rows.ts';

const marks: Record<Emphasis, string> = { bold: '**', italic: '*', strike: '~~', code: '`' };

/** The ranges of a selection, a cursor being the word that it stands in. */
const wordRanges = (state: EditorState) =>
  state.selection.ranges.map(range => (range.empty ? (state.wordAt(range.head) ?? range) : range));

/** Puts a pair of marks around each cursor without a word, or removes an empty pair. */
function pairs(state: EditorState, mark: string) {
  const { length } = mark;
  return state.changeByRange(range => {
    const around = state.sliceDoc(Math.max(0, range.from - length), range.to + length);
    return around === mark + mark
      ? {
          range: EditorSelection.cursor(range.from - length),
          changes: { from: range.from - length, to: range.to + length },
        }
      : {
          range: EditorSelection.cursor(range.from + length),
          changes: { from: range.from, insert: mark + mark },
        };
  });
}

/** Emphasises the selected words, or takes the emphasis away; at a cursor without a word it writes an empty pair of marks. */
const emphasise = (emphasis: Emphasis, name: string): StateCommand =>
  textCommand(state => {
    const checklist = checklistOf(state);
    const ranges = wordRanges(state);
    if (wordsIn(checklist, ranges).length > 0) {
      const changes = toggleEmphasis(checklist, ranges, emphasis);
      const grows = ChangeSet.of(changes, state.doc.length).newLength > state.doc.length;
      return { changes, said: grows ? name : `Not ${name.toLowerCase()}` };
    }
    return state.selection.ranges.every(({ empty }) => empty)
      ? { ...pairs(state, marks[emphasis]), said: name }
      : { said: 'Nothing to format' };
  });

const nodes = { bold: 'Bold', italic: 'Italic', strike: 'Strike', code: 'Code', link: 'Link' } as const;

/** Whether the main selection, or cursor, is inside such words. */
export const isInside =
  (emphasis: keyof typeof nodes) =>
  (state: EditorState): boolean => {
    const { from, to } = state.selection.main;
    const tree = syntaxTree(state);
    for (const side of [1, -1] as const) {
      let node: SyntaxNode | null = tree.resolveInner(from, side);
      for (; node; node = node.parent)
        if (node.name === nodes[emphasis] && node.from <= from && to <= node.to) return true;
    }
    return false;
  };

export const bold: StateCommand = emphasise('bold', 'Bold');
export const italic: StateCommand = emphasise('italic', 'Italic');
export const strike: StateCommand = emphasise('strike', 'Struck through');
export const code: StateCommand = emphasise('code', 'Code');

/** Makes a link of the selected words and selects the address to be typed, or takes the link away. */
export const link: StateCommand = textCommand(state => {
  const [range = state.selection.main] = wordRanges(state).slice(state.selection.mainIndex);
  const changes = toggleLink(checklistOf(state), range);
  const [, closing] = changes;
  if (!closing?.insert) return changes.length === 0 ? { said: 'Nothing to format' } : { changes, said: 'Not a link' };
  // Behind the bracket before the words, and the two after them.
  const start = closing.from + 3;
  return {
    changes,
    selection: EditorSelection.single(start, start + LINK_START.length),
    said: 'Link. Type the address',
  };
});
