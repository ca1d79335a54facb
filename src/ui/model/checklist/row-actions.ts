import type { Change } from '../../../client/changes.ts';
import type { ItemValues, ServerEdit } from '../../../domain/change.ts';
import type { CheckboxRow, Checklist, Row } from '../../../text/types.ts';

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
