import { useMemo } from 'react';
import type { Change } from '../../../client/changes.ts';
import type { ChecklistStore } from '../../../client/checklist.ts';
import { failureMessage } from '../../../client/errors.ts';
import { createStore, type Store } from '../../../client/store.ts';
import type { ItemValues, RowEdit, ServerEdit } from '../../../domain/change.ts';
import { failures } from '../../../domain/messages.ts';
import { targetOf } from '../../../text/rows.ts';
import type { CheckboxRow, Checklist, Row, Target } from '../../../text/types.ts';
import { useBridge, useNotify } from '../../shell/services/services.ts';
import { useKnownNames } from '../people.ts';
import { nameOf } from '../rows/row-segments.ts';
import { outcomeNotifier } from './use-checklist.ts';

/** A row that somebody is typing at: what is saved is a change of the row as it was then, and merged with what it is now. */
export type SaveTyped = (values: Pick<ItemValues, 'text' | 'details'>) => Change;

/** What a row can ask for. One object for the whole list, so that unchanged rows need no second rendering. */
export interface RowActions {
  toggle(row: CheckboxRow): void;
  setStatus(row: CheckboxRow, slug: string): void;
  remove(row: Row): void;
  /** `undefined` takes the assignments away. */
  assign(rows: readonly CheckboxRow[], accountId: string | undefined): void;
  setMandatory(row: CheckboxRow, mandatory: boolean): void;
  /** An ISO day; `undefined` takes it away. */
  setDueDate(row: CheckboxRow, day: string | undefined): void;
  convert(row: CheckboxRow, to: Extract<ServerEdit, { kind: 'convertItemToIssue' }>['to']): void;
  /** `undefined` where the row has gone already. Whoever typed hears of a failure, and no flag tells it. */
  edit(row: Row): SaveTyped | undefined;
  /** A refused change stands where it was typed again: nobody else need offer it. */
  takenBack(id: string): void;
  /** The newest reading. */
  latest(): Checklist | undefined;
}

/** What somebody did in one go, however many rows it touched. */
export interface Step {
  /** As it is told: “Moved 3 items”. */
  label: string;
  change: Change;
  /** Further changes that were made along with it. */
  more?: readonly Change[];
}

export interface Actions extends RowActions {
  /**
   * Adds what was typed before the row of that index, else at the end. Whoever typed it hears of its failure, and no
   * flag tells it.
   */
  add(text: string, index?: number): Change;
  /** Rows in text order, or one header with its section, go before the row of that index. */
  move(rows: readonly Row[], index: number, section: boolean): void;
  /** The same for several rows, which are one step to undo. */
  setStatuses(rows: readonly CheckboxRow[], slug: string): void;
  removeAll(rows: readonly Row[]): void;
  /** Puts a change that was made elsewhere among what can be taken back, and tells what becomes of it. */
  step(label: string, change: Change): void;
  /** Everything that was done, in its order: what can be taken back. */
  readonly made: Store<readonly Step[]>;
}

/** Where a row is now; `undefined` when it has gone from the screen meanwhile. */
function place(store: ChecklistStore, row: Row): Target | undefined {
  const model = store.get()?.model;
  const index = model?.rows.indexOf(row) ?? -1;
  return model && index >= 0 ? targetOf(model, index) : undefined;
}

/** Rows in a few words. */
const named = (rows: readonly Row[]): string => {
  const [row] = rows;
  if (rows.length !== 1 || !row) return `${rows.length} items`;
  const name = nameOf(row);
  if (name === '') return row.text === '' ? 'an empty item' : 'an item';
  return `“${name.length > 40 ? `${name.slice(0, 40)}…` : name}”`;
};

/** What can be done to a checklist. It shows at once, can be taken back, and what is refused is told. */
export function useActions(store: ChecklistStore): Actions {
  const bridge = useBridge();
  const notify = useNotify();
  const names = useKnownNames();
  return useMemo(() => {
    const made = createStore<readonly Step[]>([]);
    const record = (label: string, change: Change) => made.set([...made.get(), { label, change }]);
    const tell = outcomeNotifier(bridge, notify);
    const told = ({ outcome }: Change) => void outcome.then(tell, error => notify(failureMessage(error), 'error'));
    const step = (label: string, change: Change) => {
      told(change);
      record(label, change);
    };
    /** The same change of each row that is there still, as one change. */
    const each = (label: string, rows: readonly Row[], edit: (target: Target) => RowEdit) => {
      const edits = rows.flatMap(row => {
        const target = place(store, row);
        return target ? edit(target) : [];
      });
      const [only, ...more] = edits;
      if (only) step(label, store.change(more.length > 0 ? { kind: 'changeChecklistItems', edits } : only));
    };
    const setStatuses = (rows: readonly CheckboxRow[], status: string) => {
      const others = rows.filter(row => row.status.slug !== status);
      const name = store.get()?.model.statuses.bySlug(status)?.name ?? status;
      each(`${named(others)}: ${name}`, others, target => ({ kind: 'setItemStatus', target, status }));
    };
    const removeAll = (rows: readonly Row[]) =>
      each(`Deleted ${named(rows)}`, rows, target => ({ kind: 'deleteChecklistItem', target }));
    const update = (row: CheckboxRow, label: string, values: ItemValues) =>
      each(`${label} ${named([row])}`, [row], target => ({ kind: 'updateChecklistItem', target, values }));
    return {
      made,
      step,
      setStatuses,
      removeAll,
      toggle: row => setStatuses([row], row.status.checked ? 'todo' : 'done'),
      setStatus: (row, slug) => setStatuses([row], slug),
      remove: row => removeAll([row]),
      assign: (rows, assignee) => {
        const values = assignee === undefined ? { assignee: null, names: names() } : { assignee };
        const label = `${assignee === undefined ? 'Unassigned' : 'Assigned'} ${named(rows)}`;
        each(label, rows, target => ({ kind: 'updateChecklistItem', target, values }));
      },
      setMandatory: (row, mandatory) => update(row, mandatory ? 'Made mandatory' : 'Made optional', { mandatory }),
      setDueDate: (row, day) =>
        update(row, day === undefined ? 'Cleared due date of' : 'Set due date of', { dueDate: day ?? null }),
      convert: (row, to) => {
        const target = place(store, row);
        if (!target) return;
        const change = store.change({ kind: 'convertItemToIssue', target, to });
        // The issue itself stays; what was done here is known when the server has done it.
        change.outcome.then(
          () => record(`Linked ${named([row])} to a new issue`, change),
          () => undefined,
        );
        told(change);
      },
      edit: row => {
        const view = store.get();
        const target = place(store, row);
        if (!view || !target) return undefined;
        const base = { ...view.base, text: view.text };
        return values => {
          const change = store.change({ kind: 'updateChecklistItem', target, values }, base);
          change.outcome.then(tell, () => undefined);
          record(`Edited ${named([row])}`, change);
          return change;
        };
      },
      takenBack: store.discard,
      latest: () => store.get()?.model,
      move: (rows, index, section) => {
        const targets = rows.map(row => place(store, row));
        const there = targets.filter(target => target !== undefined);
        // Somebody took a row away that is under the pointer: the others stay, too.
        if (there.length < rows.length) notify(failures.moveItem, 'error');
        else step(`Moved ${named(rows)}`, store.change({ kind: 'moveChecklistItem', targets: there, section, index }));
      },
      add: (text, index) => {
        const change = store.change({
          kind: 'addChecklistItemsFromText',
          text,
          ...(index !== undefined && { index }),
        });
        change.outcome.then(tell, () => undefined);
        const [first = '', ...more] = text.trim().split(/\s*\n\s*/);
        record(more.length > 0 ? `Added ${more.length + 1} lines` : `Added “${first.slice(0, 40)}”`, change);
        return change;
      },
    };
  }, [store, bridge, notify, names]);
}
