import { startCompletion } from '@codemirror/autocomplete';
import { forceLinting, forEachDiagnostic } from '@codemirror/lint';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { diagnose } from '../../text/diagnose.ts';
import type { TextChange } from '../../text/types.ts';
import { checklistOf } from '../checklist.ts';
import { type OfferedFix, offeredFixes, type Problem } from './problem.ts';

/** A problem where it stands now. */
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

/** A way out of a problem. */
export interface Offer extends Placed {
  fix: OfferedFix;
}

/** What can be done where the selection is; when nothing, what can be done elsewhere in its line. */
export function offersAt(state: EditorState): Offer[] {
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(state.selection.main.head);
  const touching = (start: number, end: number) => (placed: Placed) => placed.from <= end && placed.to >= start;
  const offers = shownProblems(state)
    .filter(touching(Math.min(from, line.from), Math.max(to, line.to)))
    .flatMap(placed => offeredFixes(placed.problem.found).map(fix => ({ ...placed, fix })));
  const near = offers.filter(touching(from, to));
  return near.length > 0 ? near : offers;
}

/** The changes of a fix in the text as it is: found anew when somebody has typed since, `undefined` when it is no more. */
function changesNow(state: EditorState, { problem, from, fix }: Offer): readonly TextChange[] | undefined {
  if (fix.kind !== 'change') return undefined;
  if (state.doc.eq(problem.doc)) return fix.changes;
  const same = diagnose(checklistOf(state)).find(found => found.code === problem.found.code && found.from === from);
  const again = same?.fixes.find(({ title }) => title === fix.title);
  return again?.kind === 'change' ? again.changes : undefined;
}

/** Does what an offer says. */
export function take(view: EditorView, offer: Offer): void {
  view.focus();
  const { fix, to } = offer;
  if (fix.kind === 'pickPerson') {
    view.dispatch({ selection: { anchor: to }, scrollIntoView: true });
    startCompletion(view);
    return;
  }
  const changes = changesNow(view.state, offer);
  const said = changes ? fix.title : 'The text has changed meanwhile.';
  view.dispatch({
    ...(changes && { changes, userEvent: 'input.fix' }),
    scrollIntoView: true,
    effects: EditorView.announce.of(said),
  });
  forceLinting(view);
}
