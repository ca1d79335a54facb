import { type EditorState, type Extension, StateEffect } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import { checklistOf } from '../checklist.ts';
import { compositionEnd } from '../composition.ts';
import { provider } from '../provider.ts';

/** The names that gates may have, as far as they are known; requested only if a header has a gate. */
export function knownGateNames(state: EditorState): readonly string[] | undefined {
  if (!checklistOf(state).rows.some(row => row.kind === 'header' && row.gates.length > 0)) return undefined;
  try {
    return state.facet(provider).gateNames?.() ?? undefined;
  } catch {
    return undefined;
  }
}

/** The effect after which the names are known. */
export const gateNamesEffect = StateEffect.define<null>();

/** Watches for the names, which come once. */
export const gateNamesWatch: Extension = ViewPlugin.define(view => {
  let areKnown = false;
  let gone = false;
  const stop = view.state.facet(provider).subscribe(() => {
    if (areKnown || gone || !knownGateNames(view.state)) return;
    areKnown = true;
    void compositionEnd(view).then(() => {
      if (!gone) view.dispatch({ effects: gateNamesEffect.of(null) });
    });
  });
  return {
    destroy: () => {
      gone = true;
      stop();
    },
  };
});
