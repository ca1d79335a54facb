import type { EditorState } from '@codemirror/state';
import { type Decoration, EditorView } from '@codemirror/view';
import { checklistOf, rowAt } from '../../src/editor/checklist.ts';
import type { ShownConflict } from '../../src/editor/collaboration/conflicts.ts';
import { rowIdsOf } from '../../src/editor/row-ids.ts';
import { sourceOf } from '../../src/text/rows.ts';
import type { Checklist } from '../../src/text/types.ts';
import { tokenIn, wordsIn } from './words.ts';

/** The texts of the rows, with their details. */
export const sourcesOf = (checklist: Checklist): string[] =>
  checklist.rows.map((_, index) => sourceOf(checklist, index));

/** The row of a position, and the position in it. */
export function placeOf(state: EditorState, position: number) {
  const checklist = checklistOf(state);
  const placed = rowAt(checklist, state.doc.lineAt(position).from);
  if (!placed) return undefined;
  const source = sourceOf(checklist, placed.index);
  const offset = position - placed.start;
  // A row without a mark may begin with a blank.
  const { from } = placed.row.content;
  const isInMark = offset < from && source.slice(0, from).trim() !== '';
  return { ...placed, source, offset, token: tokenIn(source), isInMark };
}

/** An open choice, and the token and lasting id of the row below which it shows. */
export interface Choice {
  conflict: ShownConflict;
  rowId: string | undefined;
  token: string | undefined;
  source: string;
}

const conflictIn = ({ spec }: Decoration): ShownConflict | undefined => spec.widget?.conflict;

/** The choices that show in a text. */
export function choicesIn(state: EditorState): Choice[] {
  const choices: Choice[] = [];
  for (const set of state.facet(EditorView.decorations)) {
    if (typeof set === 'function') continue;
    for (const cursor = set.iter(); cursor.value; cursor.next()) {
      const conflict = conflictIn(cursor.value);
      if (!conflict) continue;
      const place = placeOf(state, cursor.from);
      choices.push({
        conflict,
        rowId: rowIdsOf(state)[place?.index ?? -1],
        token: place?.token,
        source: place?.source ?? '',
      });
    }
  }
  return choices;
}

/** The words of both sides of the open choices. */
export const offeredIn = (state: EditorState): string[] =>
  choicesIn(state).flatMap(({ conflict }) => wordsIn(`${conflict.mine} ${conflict.theirs}`));
