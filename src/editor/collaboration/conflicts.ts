import { invertedEffects, isolateHistory } from '@codemirror/commands';
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  MapMode,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';
import { setValue } from '../../text/edits.ts';
import { ChangedMeanwhile, EditRefused, ItemsRequired } from '../../text/errors.ts';
import type { Conflict } from '../../text/merge.ts';
import { targetOf } from '../../text/rows.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';
import { type EditorCommand, editorCommands } from '../commands/command.ts';
import { barOf, ConflictBar } from './conflict-bar.ts';
import { conflictTheme } from './conflict-theme.ts';

/** A conflict whose value in the text is mine unless it says otherwise. */
export interface ShownConflict extends Conflict {
  stored?: 'mine' | 'theirs';
}

/** A conflict and its row: the first line, and the end of the last one. */
interface Placed {
  readonly conflict: ShownConflict;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

const found = StateEffect.define<readonly Placed[]>({
  map: (placed, changes) => placed.flatMap(each => moved(each, changes) ?? []),
});
const settled = StateEffect.define<Conflict>();

/** The row's line after a change; `undefined` when it was deleted or joined to the line above. */
function moved(placed: Placed, changes: ChangeDesc): Placed | undefined {
  const from = changes.mapPos(placed.from, 1);
  const to = changes.mapPos(placed.to, -1);
  return from < to ? { ...placed, from, to } : undefined;
}

const joined = ({ from }: Placed, changes: ChangeDesc) =>
  from > 0 && changes.mapPos(from, -1, MapMode.TrackBefore) === null;

/** The row as it stands now. */
function settle(placed: Placed, state: EditorState): Placed | undefined {
  const line = state.doc.lineAt(placed.from);
  const row = rowAt(checklistOf(state), line.from);
  if (row?.start !== line.from) return undefined;
  const last = state.doc.lineAt(row.start + row.row.length - (row.row.length > line.length ? 1 : 0));
  return { ...placed, from: line.from, to: line.to, end: last.to };
}

function follow(all: readonly Placed[], { changes, state }: Transaction): readonly Placed[] {
  return all.flatMap(placed => {
    const there = moved(placed, changes);
    if (!there || (joined(placed, changes) && state.doc.lineAt(there.from).from < there.from)) return [];
    return settle(there, state) ?? [];
  });
}

const sameThing = (a: Placed, b: Placed) => a.from === b.from && a.conflict.attribute === b.conflict.attribute;

const conflictsField = StateField.define<readonly Placed[]>({
  create: () => [],
  update(before, transaction) {
    let all = transaction.docChanged && before.length > 0 ? follow(before, transaction) : before;
    for (const effect of transaction.effects) {
      if (effect.is(settled)) all = all.filter(({ conflict }) => conflict !== effect.value);
      if (!effect.is(found)) continue;
      const fresh = effect.value.flatMap(placed => settle(placed, transaction.state) ?? []);
      // The newest conflict of an attribute holds the current value of the other side.
      const kept = all.filter(old => !fresh.some(placed => sameThing(old, placed)));
      all = [...kept, ...fresh].sort((a, b) => a.from - b.from);
    }
    return all;
  },
  provide: field =>
    EditorView.decorations.from(field, all =>
      Decoration.set(
        all.map(({ conflict, end }, index) =>
          Decoration.widget({
            widget: new ConflictBar(conflict, index, all.length, choices),
            block: true,
            side: 1,
          }).range(end),
        ),
        true,
      ),
    ),
});

/** Unresolved conflicts, from top to bottom. */
export const conflictsOf = (state: EditorState): readonly Conflict[] =>
  (state.field(conflictsField, false) ?? []).map(({ conflict }) => conflict);

/** Conflicts at rows of a state that begin at the given places. */
export const conflictsFound = (conflicts: readonly { conflict: ShownConflict; from: number }[]) =>
  found.of(conflicts.map(({ conflict, from }) => ({ conflict, from, to: from + 1, end: from })));

/** What taking the other value changes. Throws where the row can no longer say it. */
function take(checklist: Checklist, { from, conflict }: Placed, side: 'mine' | 'theirs'): TextChange[] {
  const row = rowAt(checklist, from);
  if (!row) throw new ChangedMeanwhile();
  return setValue(checklist, targetOf(checklist, row.index), conflict.attribute, conflict[side]);
}

/** Resolves a conflict as one undo step; returns why it cannot. One side's value is in the text already. */
function choose(view: EditorView, conflict: Conflict, side: 'mine' | 'theirs'): string | undefined {
  const { state } = view;
  const all = state.field(conflictsField);
  const placed = all.find(each => each.conflict === conflict);
  if (!placed || state.readOnly) return undefined;
  try {
    const changes = side === (placed.conflict.stored ?? 'mine') ? [] : take(checklistOf(state), placed, side);
    const said = side === 'mine' ? 'Kept yours.' : 'Took theirs.';
    const more = all.length > 1 ? ` ${all.length - 1} more to decide.` : '';
    view.dispatch({
      changes,
      effects: [settled.of(conflict), EditorView.announce.of(said + more)],
      annotations: isolateHistory.of('full'),
      userEvent: 'input.conflict',
    });
    view.focus();
    return undefined;
  } catch (error) {
    if (error instanceof EditRefused || error instanceof ItemsRequired || error instanceof ChangedMeanwhile)
      return error.message;
    throw error;
  }
}

/** Whether the focus is on a conflict's choice. */
const atChoice = ({ conflict }: Placed) => barOf(conflict)?.contains(document.activeElement) === true;

/** Puts the cursor into the row of the next conflict, or of the one before, and the focus on its choice. */
const go =
  (forwards: boolean, from?: Conflict) =>
  (view: EditorView): boolean => {
    const all = view.state.field(conflictsField, false) ?? [];
    const { head } = view.state.selection.main;
    const here = all.findIndex(placed => (from ? placed.conflict === from : atChoice(placed)));
    const near = forwards ? all.findIndex(({ from }) => from > head) : all.findLastIndex(({ to }) => to < head);
    const next = here >= 0 ? here + (forwards ? 1 : -1) : near;
    // Beyond the last comes the first, and before the first the last.
    const target = all[next] ?? (forwards ? all[0] : all.at(-1));
    if (!target) return false;
    view.dispatch({ selection: { anchor: target.to }, scrollIntoView: true });
    // A row outside the viewport has its bar once the view has scrolled there.
    view.requestMeasure({
      read: () => undefined,
      write: () => barOf(target.conflict)?.querySelector('button')?.focus(),
    });
    return true;
  };

const anyConflict = (state: EditorState) => conflictsOf(state).length > 0;

const commands: readonly EditorCommand[] = [
  {
    id: 'nextConflict',
    title: 'Next conflict',
    keys: [{ key: 'Alt-F5', scope: 'editor conflict' }],
    edits: false,
    enabled: anyConflict,
    run: go(true),
  },
  {
    id: 'previousConflict',
    title: 'Previous conflict',
    keys: [{ key: 'Shift-Alt-F5', scope: 'editor conflict' }],
    edits: false,
    enabled: anyConflict,
    run: go(false),
  },
];

const choices = {
  choose,
  next: (view: EditorView, conflict: Conflict) => void go(true, conflict)(view),
  previous: (view: EditorView, conflict: Conflict) => void go(false, conflict)(view),
};

/** Undoing a choice restores the conflict. */
const undoable = invertedEffects.of(({ effects, startState }) =>
  effects.flatMap((effect): StateEffect<unknown>[] => {
    if (effect.is(found)) return effect.value.map(({ conflict }) => settled.of(conflict));
    if (!effect.is(settled)) return [];
    return [found.of(startState.field(conflictsField).filter(({ conflict }) => conflict === effect.value))];
  }),
);

/**
 * Shows a choice below a row with two different values for one attribute, until the user chooses or the row is gone.
 */
export const conflicts: Extension = [conflictsField, undoable, editorCommands.of(commands), conflictTheme];
