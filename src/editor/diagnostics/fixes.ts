import { startCompletion } from '@codemirror/autocomplete';
import { forceLinting, forEachDiagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { diagnose, fixesOf } from '../../text/diagnose.ts';
import type { TextChange } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';
import { knownGateNames } from './gate-names.ts';
import { type EditorFix, offeredFixes, type Problem } from './problem.ts';

/** A problem at its current position. */
export interface Placed {
  problem: Problem;
  from: number;
  to: number;
}

/** The problems that are shown, in the text's order. */
export function shownProblems(state: EditorState): Placed[] {
  const placed: Placed[] = [];
  forEachDiagnostic(state, (problem, from, to) => {
    // Only this editor's own findings have a fix.
    if ('found' in problem) placed.push({ problem: problem as Problem, from, to });
  });
  return placed;
}

/** A fix offered for a problem. */
export interface QuickFix extends Placed {
  fix: EditorFix;
}

/** The fixes at the selection; if there are none, the fixes elsewhere in its line. */
export function fixesAt(state: EditorState): QuickFix[] {
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(state.selection.main.head);
  const touching = (start: number, end: number) => (placed: Placed) => placed.from <= end && placed.to >= start;
  const offers = shownProblems(state)
    .filter(touching(Math.min(from, line.from), Math.max(to, line.to)))
    .flatMap(placed => offeredFixes(placed.problem).map(fix => ({ ...placed, fix })));
  const near = offers.filter(touching(from, to));
  return near.length > 0 ? near : offers;
}

/**
 * The changes of a fix in the current text: diagnosed again if the text has changed, `undefined` when the problem is
 * gone.
 */
function changesNow(state: EditorState, { problem, from, fix }: QuickFix): readonly TextChange[] | undefined {
  if (fix.kind !== 'change') return undefined;
  if (state.doc.eq(problem.checked.doc)) return fix.changes;
  const options = { gateNames: knownGateNames(state) };
  const checklist = checklistOf(state);
  const same = diagnose(checklist, options).find(found => found.code === problem.found.code && found.from === from);
  const again = same && fixesOf(checklist, same, options).find(({ title }) => title === fix.title);
  return again?.kind === 'change' ? again.changes : undefined;
}

/** Applies a fix. */
export function applyFix(view: EditorView, offer: QuickFix): void {
  view.focus();
  const { fix, to } = offer;
  if (fix.kind === 'pickPerson') {
    view.dispatch({ selection: { anchor: to }, scrollIntoView: true });
    startCompletion(view);
    return;
  }
  const changes = changesNow(view.state, offer);
  const announcement = changes ? fix.title : 'The text has changed.';
  view.dispatch({
    ...(changes && { changes, userEvent: 'input.fix' }),
    scrollIntoView: true,
    effects: EditorView.announce.of(announcement),
  });
  forceLinting(view);
}
