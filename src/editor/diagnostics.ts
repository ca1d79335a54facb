import { linter, nextDiagnostic, previousDiagnostic, setDiagnosticsEffect } from '@codemirror/lint';
import type { Extension, Transaction } from '@codemirror/state';
import { type Command, closeHoverTooltips, EditorView, hasHoverTooltips } from '@codemirror/view';
import { sleep } from '../domain/timing.ts';
import { type DiagnoseOptions, type Diagnostic, diagnosing } from '../text/diagnose.ts';
import { checklistOf } from './checklist.ts';
import { type EditorCommand, editorCommands } from './commands/command.ts';
import { compositionEnd } from './composition.ts';
import { applyFix, fixesAt, shownProblems } from './diagnostics/fixes.ts';
import { gateNamesEffect, gateNamesWatch, knownGateNames } from './diagnostics/gate-names.ts';
import { fixMenu, fixProblem } from './diagnostics/menu.ts';
import {
  type CheckedText,
  countedFindings,
  filledItem,
  namedGate,
  offeredFixes,
  type Problem,
  problemsOf,
} from './diagnostics/problem.ts';
import { diagnosticsTheme } from './diagnostics/theme.ts';

/** The text is checked after this time without input. */
const IDLE_DELAY_MS = 500;

/** Checking pauses after this time, so that input meanwhile is painted in the next frame. */
const SLICE_MS = 8;

/** Limits of the text and the listener of its problems. */
export interface DiagnosticsConfig extends Omit<DiagnoseOptions, 'gateNames'> {
  /** Called after each check with the number of problems, marked or not, and of errors. */
  onProblems?(all: number, errors: number): void;
}

interface Check extends CheckedText {
  findings: readonly Diagnostic[];
}

/** All findings in a view's text; `undefined` when the text changed meanwhile. */
async function check(view: EditorView, given: DiagnoseOptions): Promise<Check | undefined> {
  await compositionEnd(view);
  const { doc } = view.state;
  const checklist = checklistOf(view.state);
  const options = { ...given, gateNames: knownGateNames(view.state) };
  const steps = diagnosing(checklist, options);
  for (;;) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const { done, value } = steps.next();
      if (done) {
        await compositionEnd(view);
        return view.state.doc === doc ? { doc, checklist, options, findings: value } : undefined;
      }
    }
    await sleep(0);
    if (view.state.doc !== doc) return undefined;
  }
}

const actionsOf = (problem: Problem) =>
  offeredFixes(problem).map(fix => ({
    name: fix.title,
    apply: (view: EditorView, from: number, to: number) => {
      if (!view.state.readOnly) applyFix(view, { problem, from, to, fix });
    },
  }));

/** The problem with its fixes, which are computed when its popup opens. */
const withActions = (problem: Problem): Problem => ({
  ...problem,
  get actions() {
    return actionsOf(problem);
  },
});

/** A problem's popup stays open through a check if the problem remains. */
function isGone({ docChanged, effects }: Transaction, from: number, to: number): boolean | null {
  const diagnosticsEffect = effects.find(effect => effect.is(setDiagnosticsEffect));
  if (docChanged || !diagnosticsEffect) return null;
  return !diagnosticsEffect.value.some(problem => problem.from === from && problem.to === to);
}

/** Goes to a problem and announces it. */
const go =
  (move: Command): Command =>
  view => {
    const problems = shownProblems(view.state);
    move(view);
    const { from, to } = view.state.selection.main;
    const index = problems.findIndex(problem => problem.from === from && problem.to === to);
    const selectedProblem = problems[index]?.problem;
    const place = `Problem ${index + 1} of ${problems.length}`;
    const fixes = fixesAt(view.state).length > 0 ? ' Fixes are available.' : '';
    const announcement = selectedProblem ? `${place}: ${selectedProblem.message}${fixes}` : 'No problems';
    view.dispatch({ effects: EditorView.announce.of(announcement) });
    return true;
  };

/** Selects the problem after the selection and shows its message; after the last problem comes the first. */
export const nextProblem: EditorCommand = {
  id: 'nextProblem',
  title: 'Next problem',
  keys: [{ key: 'F8' }],
  edits: false,
  run: go(nextDiagnostic),
};

const previousProblem: EditorCommand = {
  id: 'previousProblem',
  title: 'Previous problem',
  keys: [{ key: 'Shift-F8' }],
  edits: false,
  run: go(previousDiagnostic),
};

const fix: EditorCommand = {
  id: 'fixProblem',
  title: 'Fix problem…',
  keys: [{ key: 'Mod-.' }],
  edits: true,
  run: fixProblem,
};

/** Closes a problem's popup before Escape reaches the surroundings of the text. */
const closeProblem: EditorCommand = {
  id: 'closeProblem',
  title: 'Close problem',
  keys: [{ key: 'Escape' }],
  edits: false,
  enabled: hasHoverTooltips,
  run: view => {
    view.dispatch({ effects: closeHoverTooltips });
    return true;
  },
};

/**
 * Marks probable mistakes. The text is checked in slices while idle. Commands go from one problem to the next, and fix
 * the one at the cursor.
 */
export function diagnostics({ onProblems, ...options }: DiagnosticsConfig): Extension {
  let counted: readonly Diagnostic[] = [];
  return [
    linter(
      async view => {
        const checked = await check(view, options);
        counted = checked ? countedFindings(view.state, checked.findings) : [];
        return checked ? problemsOf(checked, counted).map(withActions) : [];
      },
      {
        delay: IDLE_DELAY_MS,
        hideOn: isGone,
        // An item without words, and a gate without a name, is a problem only when the cursor has left it, a status as long as it is not known.
        needsRefresh: ({ docChanged, selectionSet, startState, state, transactions }) =>
          !docChanged &&
          (transactions.some(({ effects }) => effects.some(effect => effect.is(gateNamesEffect))) ||
            checklistOf(startState) !== checklistOf(state) ||
            (selectionSet &&
              (filledItem(startState) !== filledItem(state) || namedGate(startState) !== namedGate(state)))),
      },
    ),
    onProblems
      ? EditorView.updateListener.of(({ transactions }) => {
          if (!transactions.some(({ effects }) => effects.some(effect => effect.is(setDiagnosticsEffect)))) return;
          onProblems(counted.length, counted.filter(({ severity }) => severity === 'error').length);
        })
      : [],
    editorCommands.of([nextProblem, previousProblem, fix, closeProblem]),
    fixMenu,
    gateNamesWatch,
    diagnosticsTheme,
  ];
}
