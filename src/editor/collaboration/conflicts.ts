import { invertedEffects, isolateHistory } from '@codemirror/commands';
import { ChangeSet, type EditorState, type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { type Command, Decoration, EditorView } from '@codemirror/view';
import { applyChanges } from '../../text/document.ts';
import type { RowValue } from '../../text/edits/value.ts';
import { setValue } from '../../text/edits.ts';
import { ChangedMeanwhile, EditRefused, ItemsRequired } from '../../text/errors.ts';
import { mergeRewordings } from '../../text/merge/rewording.ts';
import { attributeOf } from '../../text/merge/row.ts';
import { documentOf, type Unit } from '../../text/merge/units.ts';
import { wordsIn } from '../../text/merge/word-counts.ts';
import type { Attribute, Conflict } from '../../text/merge.ts';
import type { ValueBefore } from '../../text/merge-rows.ts';
import { readChecklist } from '../../text/read.ts';
import { rowAt, targetOf } from '../../text/rows.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { checklistField, checklistOf } from '../checklist.ts';
import { type EditorCommand, editorCommands } from '../commands/command.ts';
import { rowIdsOf } from '../row-ids.ts';
import { type BarConflict, barOf, ConflictBar, type ShownValues } from './conflict-bar.ts';
import { conflictTheme } from './conflict-theme.ts';
import { renamedIds } from './renamed-ids.ts';

/** A conflict as it shows in the text. */
export interface ShownConflict extends BarConflict {
  /** Whose value is in the text: mine, unless it says otherwise. */
  stored?: 'mine' | 'theirs';
  /**
   * The values before both sides changed them, as long as the server has not recorded the conflict: until the user decides,
   * they are the rows' base in merges and when the text is saved.
   */
  before?: readonly ValueBefore[];
}

/** The value that is only in the choice, not in the text. */
export const otherValue = ({ mine, theirs, stored = 'mine' }: ShownConflict): string =>
  stored === 'mine' ? theirs : mine;

/** A conflict and the id of its row. */
export interface RowConflict {
  readonly conflict: ShownConflict;
  readonly rowId: string;
}

/** A conflict of a merge at its row. A row whose lasting id is not known has this one. */
export const conflictAt = (conflict: ShownConflict, rowId: string): RowConflict => ({
  conflict: {
    ...conflict,
    ...(conflict.before && { before: conflict.before.map(value => ({ ...value, rowId: value.rowId || rowId })) }),
  },
  rowId,
});

/** A conflict at its row, or at the one that the row was joined with: its index, first line, and the end of the last one. */
interface Placed extends RowConflict {
  readonly index: number;
  /** Whether the row was joined with another one, or became its detail. */
  readonly isJoined: boolean;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

const found = StateEffect.define<readonly RowConflict[]>();
const settled = StateEffect.define<RowConflict>();
/** The author of the other value of a conflict has become known. */
const authorNamed = StateEffect.define<{ of: RowConflict; by: string }>();
/** The server has recorded the open conflicts. */
const recorded = StateEffect.define<null>();

const isSameValue = (a: RowConflict, b: RowConflict) =>
  a.rowId === b.rowId && a.conflict.attribute === b.conflict.attribute;

const isEqual = ({ conflict: a }: RowConflict, { conflict: b }: RowConflict) =>
  a.row === b.row &&
  a.mine === b.mine &&
  a.theirs === b.theirs &&
  a.stored === b.stored &&
  JSON.stringify(a.before) === JSON.stringify(b.before);

const withoutBase = ({ conflict: { before: _, ...conflict }, rowId }: RowConflict): RowConflict => ({
  conflict,
  rowId,
});

function withIds({ conflict, rowId }: RowConflict, ids: ReadonlyMap<string, string>): RowConflict {
  const { before } = conflict;
  const renamed = before?.map(value => ({ ...value, rowId: ids.get(value.rowId) ?? value.rowId }));
  return { conflict: renamed ? { ...conflict, before: renamed } : conflict, rowId: ids.get(rowId) ?? rowId };
}

/**
 * The row that a row which is gone was joined with: most words that a choice says of it are there, or in the details. -1
 * where it was deleted.
 */
function joinedRow({ text, rows }: Checklist, { conflict }: RowConflict): number {
  // A status or a person is in other rows' words by chance.
  if (conflict.attribute !== 'text' && conflict.attribute !== 'details') return -1;
  const words = wordsIn(conflict[conflict.stored ?? 'mine'].replace(/^\s*>/gm, ''));
  const isMost = (count: number) => 2 * count > words.length;
  if (!isMost(words.filter(word => text.includes(word)).length)) return -1;
  const counts = rows.map(row => {
    const there = new Set([row.text, ...row.details.map(line => line.text)].flatMap(wordsIn));
    return words.filter(word => there.has(word)).length;
  });
  const most = Math.max(...counts, 0);
  return isMost(most) ? counts.indexOf(most) : -1;
}

/** The index of a conflict's row, or of the row that it was joined with; -1 if there is none. */
function indexIn(state: EditorState, conflict: RowConflict): number {
  const own = rowIdsOf(state).indexOf(conflict.rowId);
  return own < 0 ? joinedRow(checklistOf(state), conflict) : own;
}

/** A conflict whose row was joined with another one stays at that one, also where others have replaced its words there. */
function withJoinedRow(conflict: RowConflict, { startState, state }: Transaction): RowConflict {
  if (indexIn(state, conflict) >= 0) return conflict;
  const rowId = rowIdsOf(startState)[indexIn(startState, conflict)];
  return rowId !== undefined && rowIdsOf(state).includes(rowId) ? { ...conflict, rowId } : conflict;
}

/** Those of deleted rows are kept: undo brings the row back. */
const conflictsField = StateField.define<readonly RowConflict[]>({
  create: () => [],
  update(before, transaction) {
    const ids = renamedIds(transaction);
    const named = (conflicts: readonly RowConflict[]) => (ids ? conflicts.map(each => withIds(each, ids)) : conflicts);
    let all = named(before);
    for (const effect of transaction.effects) {
      if (effect.is(settled)) {
        const [gone] = named([effect.value]);
        all = all.filter(each => !gone || !isSameValue(each, gone) || !isEqual(each, gone));
      } else if (effect.is(recorded)) all = all.map(withoutBase);
      else if (effect.is(authorNamed)) {
        const { of, by } = effect.value;
        const isMeant = (each: RowConflict) => isSameValue(each, of) && each.conflict.theirs === of.conflict.theirs;
        all = all.map(each => (isMeant(each) ? { ...each, conflict: { ...each.conflict, by } } : each));
      }
      // The newest conflict of an attribute holds the current value of the other side.
      else if (effect.is(found)) {
        const next = named(effect.value);
        all = [...all.filter(old => !next.some(each => isSameValue(old, each))), ...next];
      }
    }
    return transaction.annotation(Transaction.remote) ? all.map(each => withJoinedRow(each, transaction)) : all;
  },
});

/** Conflicts that an editor shows from the start. */
export const startConflicts = (conflicts: readonly RowConflict[]): Extension => conflictsField.init(() => conflicts);

/** The conflicts whose rows are in the text, from top to bottom. */
function placedIn(state: EditorState): readonly Placed[] {
  const all = state.field(conflictsField, false) ?? [];
  if (all.length === 0) return [];
  const ids = rowIdsOf(state);
  const checklist = checklistOf(state);
  const { rows, starts } = checklist;
  const placed = all.flatMap((each): Placed[] => {
    const index = indexIn(state, each);
    const [row, start] = [rows[index], starts[index]];
    if (!row || start === undefined) return [];
    const line = state.doc.lineAt(start);
    const last = state.doc.lineAt(start + row.length - (row.length > line.length ? 1 : 0));
    return [{ ...each, index, isJoined: !ids.includes(each.rowId), from: line.from, to: line.to, end: last.to }];
  });
  return placed.sort((a, b) => a.from - b.from);
}

/** A conflict with the present value of its row, which may have been edited since, on the side that is in the text. */
const withCurrent = ({ conflict, rowId }: RowConflict, unit: Unit | undefined): ShownValues => ({
  conflict,
  rowId,
  current: unit && { [conflict.stored ?? 'mine']: attributeOf(unit, conflict.attribute) },
});

const bars = EditorView.decorations.compute([conflictsField, checklistField, 'doc'], state => {
  const all = placedIn(state);
  if (all.length === 0) return Decoration.none;
  const { units } = documentOf(checklistOf(state));
  const widgets = all.map((placed, index) => {
    const { end, index: row, isJoined } = placed;
    const shown = withCurrent(placed, isJoined ? undefined : units[row]);
    return Decoration.widget({
      widget: new ConflictBar(shown, index, all.length, choices),
      block: true,
      side: 1,
    }).range(end);
  });
  return Decoration.set(widgets, true);
});

/** The starts of the rows with undecided conflicts. */
export const choicePositions = (state: EditorState): readonly number[] => placedIn(state).map(({ from }) => from);

/** Undecided conflicts, from top to bottom. */
export const conflictsOf = (state: EditorState): readonly ShownConflict[] =>
  placedIn(state).map(({ conflict }) => conflict);

/** Those of them whose other author is not known, with the ids of their rows. */
export const unnamedConflicts = (state: EditorState): readonly RowConflict[] =>
  placedIn(state).filter(({ conflict }) => conflict.by === undefined);

/** Names the account of the author of a conflict's other value. */
export const nameAuthor = (of: RowConflict, by: string): StateEffect<unknown> => authorNamed.of({ of, by });

/**
 * The effects that show the conflicts of a merge, and the number of those that are new to the user. `merged` are all that
 * are left of the undecided ones; where the merge did not look at those, it is missing. One that the server has recorded
 * stays until the user answers it, or others give the row the value that it lacked. An earlier recorded conflict does not
 * take the place of an undecided one of the same value: the next save would hide from the server that both sides meet.
 */
export function showConflicts(
  state: EditorState,
  conflicts: readonly RowConflict[],
  merged: readonly RowConflict[] | undefined,
  isAnswered: (conflict: RowConflict) => boolean,
): { effects: StateEffect<unknown>[]; count: number } {
  const open = placedIn(state);
  const knownAs = (each: RowConflict) => open.find(old => isSameValue(old, each));
  const gone = open.filter(old =>
    old.conflict.before === undefined
      ? isAnswered(old) && !conflicts.some(each => isSameValue(old, each))
      : merged && !merged.some(each => isSameValue(old, each)),
  );
  const isUndecided = (each: RowConflict) =>
    conflicts.some(other => other.conflict.before !== undefined && isSameValue(other, each));
  const shown = merged ? conflicts.filter(each => each.conflict.before !== undefined || !isUndecided(each)) : conflicts;
  const changed = shown.flatMap(each => {
    const known = knownAs(each);
    // The server's answer does not say whose the other value is: it may be known.
    const isSame = known?.conflict.theirs === each.conflict.theirs;
    const by = (isSame ? known?.conflict.by : undefined) ?? each.conflict.by;
    const named = by === undefined ? each : { ...each, conflict: { ...each.conflict, by } };
    return known && isEqual(known, named) ? [] : [named];
  });
  return {
    effects: [...gone.map(each => settled.of(each)), ...(changed.length > 0 ? [found.of(changed)] : [])],
    count: changed.filter(each => knownAs(each)?.conflict.theirs !== each.conflict.theirs).length,
  };
}

/** The server has recorded the conflicts that were open: they are in the history, and no longer change the base. */
export const conflictsRecorded: StateEffect<unknown> = recorded.of(null);

/**
 * The base's values before the conflicts that the user has not decided, by the row's index in a base with these row ids.
 * Deleting the row decides a conflict.
 */
export const undecidedValues = (state: EditorState, baseIds: readonly string[]): RowValue[] =>
  undecidedIn(placedIn(state), baseIds);

/** Reads these values from some conflicts. */
export function undecidedIn(conflicts: readonly RowConflict[], baseIds: readonly string[]): RowValue[] {
  return conflicts.flatMap(({ conflict: { before = [] } }) =>
    before.flatMap(({ rowId, attribute, value }) => {
      const index = baseIds.indexOf(rowId);
      return index < 0 ? [] : [{ index, attribute, value }];
    }),
  );
}

/**
 * The changes that take the other value: of a row's words those that the conflict is about, so that others which were
 * joined with them stay. Throws where the row can no longer say it.
 */
function take(checklist: Checklist, { index, isJoined, conflict }: Placed, side: 'mine' | 'theirs'): TextChange[] {
  const { attribute, mine, theirs, stored = 'mine' } = conflict;
  const [old, next] = stored === 'mine' ? [mine, theirs] : [theirs, mine];
  const change = (part: Attribute, value: string) => setValue(checklist, targetOf(checklist, index), part, value);
  const row = rowAt(checklist, index);
  if (isJoined) {
    const details = documentOf(checklist).units[index]?.details.trimEnd() ?? '';
    const parts = { text: row.text, details } as const;
    for (const [part, words] of Object.entries(parts)) {
      const value = words.includes(old) ? words.replace(old, () => next) : mergeRewordings(old, next, words);
      if (value !== undefined && value !== words) return change(part === 'text' ? 'text' : 'details', value);
    }
    throw new ChangedMeanwhile();
  }
  const isPart = attribute === 'text' && row.text !== old && side !== stored;
  return change(attribute, isPart ? (mergeRewordings(old, next, row.text) ?? conflict[side]) : conflict[side]);
}

const isRefusal = (error: unknown) =>
  error instanceof EditRefused || error instanceof ItemsRequired || error instanceof ChangedMeanwhile;

/** Resolves a conflict as one undo step; returns why it cannot. One side's value is in the text already. */
function choose(view: EditorView, conflict: Conflict, side: 'mine' | 'theirs'): string | undefined {
  const { state } = view;
  const all = placedIn(state);
  const placed = all.find(each => each.conflict === conflict);
  if (!placed || state.readOnly) return undefined;
  try {
    const changes = side === (placed.conflict.stored ?? 'mine') ? [] : take(checklistOf(state), placed, side);
    const said = side === 'mine' ? 'Kept yours.' : 'Took theirs.';
    const more = all.length > 1 ? ` ${all.length - 1} more to decide.` : '';
    view.dispatch({
      changes,
      effects: [settled.of({ conflict, rowId: placed.rowId }), EditorView.announce.of(said + more)],
      annotations: isolateHistory.of('full'),
      userEvent: 'input.conflict',
    });
    view.focus();
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error.message;
    throw error;
  }
}

/** Decides all conflicts for one side, as one undo step. Those that a row can't have stay open. */
export function chooseAll(view: EditorView, side: 'mine' | 'theirs'): void {
  const { state } = view;
  if (state.readOnly) return;
  const decided: Placed[] = [];
  const changes: TextChange[][] = [];
  let text = checklistOf(state);
  for (const placed of placedIn(state)) {
    try {
      const taken = side === (placed.conflict.stored ?? 'mine') ? [] : take(text, placed, side);
      text = readChecklist(applyChanges(text.text, taken), text.statuses, text);
      changes.push(taken);
      decided.push(placed);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  const made = changes.reduce((all, each) => all.compose(ChangeSet.of(each, all.newLength)), state.changes());
  view.dispatch({
    changes: made,
    effects: decided.map(each => settled.of(each)),
    annotations: isolateHistory.of('full'),
    userEvent: 'input.conflict',
  });
}

/** Whether the focus is on a conflict's choice. */
const atChoice = ({ conflict }: Placed) => barOf(conflict)?.contains(document.activeElement) === true;

/** Puts the cursor into the row of the next conflict, or of the one before, and the focus on its choice. */
const go =
  (forwards: boolean, from?: Conflict) =>
  (view: EditorView): boolean => {
    const all = placedIn(view.state);
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

/** Puts the focus on the next choice, or on the first one. */
export const goToChoice: Command = go(true);

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
const undoable = invertedEffects.of(({ effects }) =>
  effects.flatMap((effect): StateEffect<unknown>[] => {
    if (effect.is(found)) return effect.value.map(each => settled.of(each));
    return effect.is(settled) ? [found.of([effect.value])] : [];
  }),
);

/**
 * Shows a choice below a row with two different values for one attribute, until the user chooses or the row is gone.
 */
export const conflicts: Extension = [conflictsField, bars, undoable, editorCommands.of(commands), conflictTheme];
