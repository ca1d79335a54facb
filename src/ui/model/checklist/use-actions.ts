import { useMemo } from 'react';
import type { Change } from '../../../client/changes.ts';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import { shownBase } from '../../../client/reading.ts';
import { createStore, type Store } from '../../../client/store.ts';
import type { ItemValues, RowEdit, ServerEdit } from '../../../domain/change.ts';
import { failures } from '../../../domain/messages.ts';
import type { Enforced } from '../../../text/header/enforced.ts';
import { targetOf } from '../../../text/rows.ts';
import type { CheckboxRow, Checklist, HeaderRow, Row, Target } from '../../../text/types.ts';
import { useBridge, useNotify, useUser } from '../../shell/services/services.ts';
import { useKnownNames } from '../people.tsx';
import { lineOf, nameOf } from '../rows/row-segments.ts';
import { outcomeNotifier } from './use-checklist.ts';

/**
 * Saves an edit of a row as a change based on the row at the start of the edit; the server merges it. `declined` is the
 * other user's value that the user has decided against.
 */
export type SaveTyped = (values: Pick<ItemValues, 'text' | 'details'>, declined?: string) => Change;

/** How to convert an item to an issue. */
export type ConversionOptions = Omit<Extract<ServerEdit, { kind: 'convertItemToIssue' }>, 'kind' | 'target'>;

/** A row's commands. One object for the whole list, so that unchanged rows are not rendered again. */
export interface RowActions {
  readonly issueId: string;
  toggle(row: CheckboxRow): void;
  setStatus(row: CheckboxRow, slug: string): void;
  removeAll(rows: readonly Row[]): void;
  /** `undefined` unassigns. */
  assign(rows: readonly CheckboxRow[], accountId: string | undefined): void;
  setMandatory(rows: readonly CheckboxRow[], mandatory: boolean): void;
  /** An ISO day, with its words for the step's label; `undefined` clears it. */
  setDueDate(rows: readonly CheckboxRow[], day: string | undefined, words?: string): void;
  /** The label of the step says what was set; the row follows. */
  setSection(row: HeaderRow, values: Pick<ItemValues, 'gates' | 'customers'>, label: string): void;
  /** `undefined` if the row is deleted. The caller reports failures. */
  convert(row: CheckboxRow, options: ConversionOptions): Change | undefined;
  /** `undefined` if the row is deleted. The caller reports failures, not a flag. */
  edit(row: Row): SaveTyped | undefined;
  /** Removes a rejected change whose text is back in its input. */
  discard(id: string): void;
  /** The newest snapshot. */
  latest(): Checklist | undefined;
  /**
   * Adds items before the row of that index, else at the end, in one step with the changes of `takeBack`. The caller
   * reports failures, not a flag. Missing where the list around the row is not shown.
   */
  add?(text: string, index?: number, takenBack?: readonly Change[]): Change;
  /** Takes added items back, so that others can be added in their place. Missing where `add` is. */
  takeBack?(added: Change): readonly Change[];
}

/** The changes of one user action; one step to undo. */
export interface Step {
  /** Shown to the user: “Moved 3 items”. */
  label: string;
  change: Change;
  issueId: string;
  /** Further changes that were made along with it. */
  more?: readonly Change[];
  /** Rows that it added. */
  added?: readonly Row[];
  /** The rows that it gated, made mandatory, or showed to customers: the line says whether that is enforced. */
  about?: Enforced | undefined;
  /** The rows before and after a text was typed, which may set the same. */
  typed?: readonly [before: readonly Row[], after: readonly Row[]];
  /** Whether its line says why it was refused: no input does. */
  saysFailure?: true;
}

export interface Actions extends Required<RowActions> {
  /**
   * Moves rows, in text order, or one header with its section before the row of that index. `to` names the target in the
   * step's label.
   */
  move(rows: readonly Row[], index: number, section: boolean, to?: string): void;
  /** Sets several rows' status in one step. */
  setStatuses(rows: readonly CheckboxRow[], slug: string): void;
  /** Records a change made elsewhere as a step and reports its outcome. */
  step(label: string, change: Change): void;
  /** All steps, oldest first. */
  readonly made: Store<readonly Step[]>;
}

/** A row in the newest snapshot; `undefined` if it is deleted. */
function currentTarget(store: ChecklistStore, row: Row): Target | undefined {
  const model = store.get()?.model;
  const index = model?.rows.indexOf(row) ?? -1;
  return model && index >= 0 ? targetOf(model, index) : undefined;
}

/** A short name of rows for labels. */
const nameRows = (rows: readonly Row[], names: Readonly<Record<string, string>>): string => {
  const [row] = rows;
  if (rows.length !== 1 || !row) {
    const items = rows.filter(({ kind }) => kind === 'checkbox').length;
    return items === 0 ? `${rows.length} headers` : items === 1 ? '1 item' : `${items} items`;
  }
  const name = nameOf(row, names);
  if (name === '') return row.text === '' ? 'an empty item' : 'an item';
  return `“${name.length > 40 ? `${name.slice(0, 40)}…` : name}”`;
};

/** A checklist's commands. Changes show at once and can be undone; rejections are reported. */
export function useActions(store: ChecklistStore): Actions {
  const bridge = useBridge();
  const notify = useNotify();
  const names = useKnownNames();
  const { id: me } = useUser();
  return useMemo(() => {
    const made = createStore<readonly Step[]>([]);
    const { issueId } = store;
    const named = (rows: readonly Row[]) => nameRows(rows, names());
    const record = (label: string, change: Change, more?: Partial<Step>) =>
      made.set([...made.get(), { label, change, issueId, ...more }]);
    const notifyOutcome = outcomeNotifier(bridge, notify, store);
    const report = ({ outcome }: Change) =>
      void outcome.then(notifyOutcome, error => notify(failureMessage(error), 'error'));
    const step = (label: string, change: Change, about?: Step['about']) => {
      report(change);
      record(label, change, { saysFailure: true, about });
    };
    /** Makes the same edit of all rows that still exist as one change. */
    const each = (label: string, rows: readonly Row[], edit: (target: Target) => RowEdit, about?: Step['about']) => {
      const edits = rows.flatMap(row => {
        const target = currentTarget(store, row);
        return target ? edit(target) : [];
      });
      const [only, ...more] = edits;
      if (only) step(label, store.change(more.length > 0 ? { kind: 'changeChecklistItems', edits } : only), about);
    };
    const setStatuses = (rows: readonly CheckboxRow[], status: string) => {
      const others = rows.filter(row => row.status.slug !== status);
      const name = store.get()?.model.statuses.bySlug(status)?.name ?? status;
      each(`${named(others)}: ${name}`, others, target => ({ kind: 'setItemStatus', target, status }));
    };
    const removeAll = (rows: readonly Row[]) =>
      each(`Deleted ${named(rows)}`, rows, target => ({ kind: 'deleteChecklistItem', target }));
    const update = (label: string, rows: readonly Row[], values: ItemValues) => {
      const about = values.mandatory ? 'mandatory' : values.customers ? 'customers' : undefined;
      const edit = (target: Target): RowEdit => ({ kind: 'updateChecklistItem', target, values });
      each(label, rows, edit, about);
    };
    const add = (text: string, index?: number, takenBack: readonly Change[] = []): Change => {
      const before = store.get()?.model.rows.length ?? 0;
      const change = store.change({
        kind: 'addChecklistItemsFromText',
        text,
        ...(index !== undefined && { index }),
      });
      change.outcome.then(notifyOutcome, () => undefined);
      const model = store.get()?.model;
      const at = index ?? before;
      const added = model?.rows.slice(at, at + model.rows.length - before) ?? [];
      // A new row is named by its words, as it is about to be rendered.
      const [row] = added;
      if (model && row) lineOf(model, at, row);
      const [first = change, ...more] = [...takenBack, change];
      record(`Added ${named(added)}`, first, { added, more, typed: [[], added] });
      return change;
    };
    return {
      issueId,
      made,
      step,
      setStatuses,
      removeAll,
      toggle: row => setStatuses([row], row.status.checked ? 'todo' : 'done'),
      setStatus: (row, slug) => setStatuses([row], slug),
      assign: (rows, assignee) => {
        const known = names();
        if (assignee === undefined) return update(`Unassigned ${named(rows)}`, rows, { assignee: null, names: known });
        const name = assignee === me ? 'you' : known[assignee];
        update(`Assigned ${named(rows)}${name ? ` to ${name}` : ''}`, rows, { assignee });
      },
      setSection: (row, values, label) => update(`${label}: ${named([row])}`, [row], values),
      setMandatory: (rows, mandatory) =>
        update(`Made ${named(rows)} ${mandatory ? 'mandatory' : 'optional'}`, rows, { mandatory }),
      setDueDate: (rows, day, words) =>
        update(
          day === undefined
            ? `Cleared due date of ${named(rows)}`
            : `Set due date of ${named(rows)}${words ? ` to ${words}` : ''}`,
          rows,
          { dueDate: day ?? null },
        ),
      convert: (row, options) => {
        const target = currentTarget(store, row);
        if (!target) return undefined;
        const change = store.change({ kind: 'convertItemToIssue', target, ...options });
        // Undo restores the row, not the issue; the inverse is known once the server has created it.
        change.outcome.then(
          outcome => {
            notifyOutcome(outcome);
            record(`Converted ${named([row])} to an issue`, change);
          },
          () => undefined,
        );
        return change;
      },
      edit: row => {
        const view = store.get();
        const target = currentTarget(store, row);
        if (!view || !target) return undefined;
        const base = shownBase(view);
        return (values, declined) => {
          const change = store.change({ kind: 'updateChecklistItem', target, values }, base);
          change.outcome.then(
            ({ conflicts, notices }) =>
              notifyOutcome({ notices, conflicts: conflicts.filter(({ theirs }) => theirs !== declined) }),
            () => undefined,
          );
          const after = store.get()?.model.rows[view.model.rows.indexOf(row)];
          record(`Edited ${named([row])}`, change, after && { typed: [[row], [after]] });
          return change;
        };
      },
      discard: store.discard,
      latest: () => store.get()?.model,
      move: (rows, index, section, to = '') => {
        const targets = rows.map(row => currentTarget(store, row));
        const existing = targets.filter(target => target !== undefined);
        // A dragged row was deleted: none of them moves.
        if (existing.length < rows.length) notify(failures.moveItem, 'error');
        else
          step(
            `Moved ${named(rows)}${to}`,
            store.change({ kind: 'moveChecklistItem', targets: existing, section, index }),
          );
      },
      add,
      takeBack: ({ id }) => store.inverse(id, () => true).map(({ edit, base }) => store.change(edit, base)),
    };
  }, [store, bridge, notify, names, me]);
}
