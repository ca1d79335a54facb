import type { EditorState } from '@codemirror/state';
import type { TextChange } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { blankRun, type RowLine, rowLine } from '../line.ts';

/** Text changes and the cursor after them. */
export interface Insertion {
  changes: TextChange[];
  cursor: number;
}

/** The position at which a line's words begin; a blank line's end. */
const wordsOf = (state: EditorState, position: number, line: RowLine | undefined): number => {
  const { from, text } = state.doc.lineAt(position);
  return line?.words ?? from + blankRun(text).length;
};

/** The text behind the selection on its last line, as a line of its own. */
function restOf(state: EditorState, sameItem: boolean): string {
  const { to } = state.selection.main;
  const line = rowLine(state, to);
  const end = state.doc.lineAt(to).to;
  const textBehind = state.sliceDoc(to, end);
  if (textBehind.trim() === '') return '';
  const { indent = '', prefix = '' } = line ?? {};
  if (line && (sameItem || to <= line.words)) {
    const words = state.sliceDoc(Math.max(to, line.words), end);
    // Without a mark, `>` below the new lines would become their detail.
    return `${indent}${prefix || (words.startsWith('>') ? '- ' : '')}${words}`;
  }
  return `${indent}${line?.kind === 'detail' ? '> ' : '- '}${textBehind.trimStart()}`;
}

/** Whether the line below a position begins a row that would be a detail if a row stood directly above. */
function orphanBelow(state: EditorState, position: number): boolean {
  const { number } = state.doc.lineAt(position);
  if (number === state.doc.lines) return false;
  const below = state.doc.line(number + 1);
  return below.text.trimStart().startsWith('>') && rowAt(checklistOf(state), below.from)?.start === below.from;
}

/**
 * Inserts whole lines in place of the selection. Text before the selection keeps its line, text behind it gets a new
 * line after them; a line with only a mark is replaced. New rows never separate an item from its details.
 */
export function insertLines(state: EditorState, text: string): Insertion {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from);
  const last = state.doc.lineAt(to);
  const line = rowLine(state, from);
  const oneLine = first.number === last.number;
  const bare = from <= wordsOf(state, from, line);
  const textBehind = restOf(state, bare && oneLine);
  const cut: TextChange[] = from < to ? [{ from, to }] : [];

  const below =
    line?.kind === 'detail' ? (line.detailsEnd ?? line.to) : textBehind === '' ? line?.detailsEnd : undefined;
  if (oneLine && below !== undefined) {
    const changes = below === to ? [{ from, to, insert: `\n${text}` }] : [...cut, { from: below, insert: `\n${text}` }];
    return { changes, cursor: below - (to - from) + 1 + text.length };
  }
  const start = bare ? first.from : first.from + state.sliceDoc(first.from, from).trimEnd().length;
  const above = bare ? '' : '\n';
  const after = textBehind !== '' ? `\n${textBehind}` : orphanBelow(state, to) ? '\n' : '';
  return {
    changes: [{ from: start, to: last.to, insert: above + text + after }],
    cursor: start + above.length + text.length,
  };
}

/** Words in place of the selection, as typed. */
export function insertWords(state: EditorState, words: string): Insertion {
  const { from, to } = state.selection.main;
  return { changes: [{ from, to, insert: words }], cursor: from + words.length };
}

/** Whether the selection stands in a detail line: there, prose goes on as details. */
export const inDetail = (state: EditorState): boolean =>
  rowLine(state, state.selection.main.from)?.kind === 'detail' && !reachesOtherLine(state);

const reachesOtherLine = ({ doc, selection: { main } }: EditorState) =>
  doc.lineAt(main.from).number !== doc.lineAt(main.to).number;

/** Whether words stand on both sides of the selection on its line. */
export function isAmidWords(state: EditorState): boolean {
  const { from, to } = state.selection.main;
  const line = rowLine(state, from);
  return from > wordsOf(state, from, line) && state.sliceDoc(to, state.doc.lineAt(to).to).trim() !== '';
}

/** Whether a text of whole lines fits as it is: its place begins with a line and ends as the text does. */
export function needsNoFitting(state: EditorState, text: string): boolean {
  const { from, to } = state.selection.main;
  const last = state.doc.lineAt(to);
  if (state.doc.lineAt(from).from !== from) return false;
  return text.endsWith('\n') ? last.from === to && last.to > to : last.to === to && !orphanBelow(state, to);
}
