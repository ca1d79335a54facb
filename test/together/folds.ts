import { foldedRanges } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { checklistOf } from '../../src/editor/checklist.ts';
import { toggleFold } from '../../src/editor/commands/folding.ts';
import { sections } from '../../src/text/progress.ts';
import { rangeOf } from '../../src/text/rows.ts';
import type { Ledger } from './ledger.ts';
import type { Person } from './people.ts';
import { placeOf } from './rows.ts';

/** A section: its header's token, and what it hides when it is folded. */
interface Section {
  token: string;
  from: number;
  to: number;
}

/** The sections that have rows and whose header has a token. */
export function headersIn(state: EditorState): Section[] {
  const checklist = checklistOf(state);
  return sections(checklist).flatMap(({ header, end }) => {
    const start = checklist.starts[header] ?? 0;
    const token = placeOf(state, start)?.token;
    const line = state.doc.lineAt(start);
    const last = rangeOf(checklist, end - 1).to;
    const to = checklist.text[last - 1] === '\n' ? last - 1 : last;
    return token === undefined || to <= line.to ? [] : [{ token, from: line.to, to }];
  });
}

export function foldAt(view: EditorView, { token, from }: Section): string {
  toggleFold(view, view.state.doc.lineAt(from).from);
  return `folds or unfolds the section ${token}`;
}

function foldsIn(state: EditorState): { from: number; to: number }[] {
  const folds: { from: number; to: number }[] = [];
  foldedRanges(state).between(0, state.doc.length, (from, to) => void folds.push({ from, to }));
  return folds;
}

/**
 * A folded section stays folded whatever others do, unless the cursor is in it; and nothing else is folded. `isOwn`: the
 * user has done something in the editor.
 */
export function foldLaw({ editor, name }: Person, isOwn: boolean, ledger: Ledger): string[] {
  const state = editor?.opened?.view.state;
  if (!editor || !state) return [];
  const headers = headersIn(state);
  const folds = foldsIn(state);
  const { head } = state.selection.main;
  const isFolded = ({ from, to }: Section) => folds.some(fold => fold.from === from && fold.to === to);
  const before = editor.folded;
  editor.folded = headers.filter(isFolded).map(({ token }) => token);
  const strays = folds.filter(fold => !headers.some(each => each.from === fold.from && each.to === fold.to));
  const stray = strays.find(({ from }) => placeOf(state, from)?.token !== undefined);
  const broken = stray
    ? [`${name}'s editor folds ${JSON.stringify(state.sliceDoc(stray.from, stray.to))}, no section`]
    : [];
  if (isOwn) return broken;
  for (const token of before) {
    const header = headers.find(each => each.token === token);
    if (!header || isFolded(header) || ledger.isReshaped(token)) continue;
    if (head > header.from && head <= header.to) continue;
    broken.push(`the section ${token} is unfolded in ${name}'s editor`);
  }
  return broken;
}
