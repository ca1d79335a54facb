import * as v from 'valibot';
import { readAs } from '../domain/shape.ts';
import * as edits from './edits.ts';
import { InvalidOperation } from './errors.ts';
import type { Checklist, TextChange } from './types.ts';

const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const target = v.strictObject({ index, text: v.string() });
const text = v.string();

const operations = [
  v.strictObject({ op: v.literal('setStatus'), target, status: v.string() }),
  v.strictObject({ op: v.literal('toggleChecked'), target }),
  v.strictObject({ op: v.literal('setMandatory'), target, mandatory: v.boolean() }),
  v.strictObject({ op: v.literal('setAssignee'), target, assignee: v.string() }),
  v.strictObject({ op: v.literal('clearAssignee'), target, names: v.optional(v.record(v.string(), v.string())) }),
  v.strictObject({ op: v.literal('setDueDate'), target, dueDate: v.string() }),
  v.strictObject({ op: v.literal('clearDueDate'), target }),
  v.strictObject({ op: v.literal('setGates'), target, gates: v.array(v.string()) }),
  v.strictObject({ op: v.literal('setCustomers'), target, customers: v.boolean() }),
  v.strictObject({ op: v.literal('rename'), target, text }),
  v.strictObject({ op: v.literal('setDetails'), target, text }),
  v.strictObject({ op: v.literal('insertRows'), index: v.optional(index), text }),
  v.strictObject({ op: v.literal('deleteRow'), target }),
  v.strictObject({ op: v.literal('moveRows'), targets: v.array(target), index }),
  v.strictObject({ op: v.literal('moveSection'), target, index }),
  v.strictObject({ op: v.literal('clear') }),
] as const;

const operation = v.variant('op', operations);

/** One edit as data, for callers outside the program: the command line, a script. */
export type Operation = v.InferOutput<typeof operation>;

/** The names of all operations. */
export const operationNames: readonly Operation['op'][] = operations.map(({ entries }) => entries.op.literal);

const named = v.object({ op: v.picklist(operationNames) });

/** What a value lacks to be an edit. */
function misfit(value: unknown): string {
  const op = readAs(named, value)?.op;
  const known = operations.find(({ entries }) => entries.op.literal === op);
  if (!known) return `This is not an edit. One is an object with "op", one of ${operationNames.join(', ')}.`;
  const members = Object.entries<{ type: string }>(known.entries).flatMap(([name, { type }]) =>
    name === 'op' ? [] : [type === 'optional' ? `${name} (optional)` : name],
  );
  if (members.length === 0) return `${op} takes nothing else.`;
  return `${op} takes ${members.join(', ')} and nothing else; a target is {"index": a number, "text": what it says}.`;
}

/** Reads parsed JSON as an edit. Throws `InvalidOperation` if it has not the shape of one; unknown members count too. */
export function readOperation(value: unknown): Operation {
  const read = readAs(operation, value);
  if (!read) throw new InvalidOperation(misfit(value));
  return read;
}

/**
 * The changes of one edit. `value` is an `Operation`, or anything that may be one. Throws `InvalidOperation` if it is
 * none, and what the edit throws: `ChangedMeanwhile`, `EditRefused`, `ItemsRequired`.
 */
export function applyOperation(checklist: Checklist, value: unknown): TextChange[] {
  const read = readOperation(value);
  switch (read.op) {
    case 'setStatus':
      return edits.setStatus(checklist, read.target, read.status);
    case 'toggleChecked':
      return edits.toggleChecked(checklist, read.target);
    case 'setMandatory':
      return edits.setMandatory(checklist, read.target, read.mandatory);
    case 'setAssignee':
      return edits.setAssignee(checklist, read.target, read.assignee);
    case 'clearAssignee': {
      const names = new Map(Object.entries(read.names ?? {}));
      return edits.clearAssignee(checklist, read.target, id => names.get(id));
    }
    case 'setDueDate':
      return edits.setDueDate(checklist, read.target, read.dueDate);
    case 'clearDueDate':
      return edits.clearDueDate(checklist, read.target);
    case 'setGates':
      return edits.setGates(checklist, read.target, read.gates);
    case 'setCustomers':
      return edits.setCustomers(checklist, read.target, read.customers);
    case 'rename':
      return edits.rename(checklist, read.target, read.text);
    case 'setDetails':
      return edits.setDetails(checklist, read.target, read.text);
    case 'insertRows':
      return edits.insertRows(checklist, read.index ?? checklist.rows.length, read.text);
    case 'deleteRow':
      return edits.deleteRow(checklist, read.target);
    case 'moveRows':
      return edits.moveRows(checklist, read.targets, read.index);
    case 'moveSection':
      return edits.moveSection(checklist, read.target, read.index);
    case 'clear':
      return edits.clear(checklist);
  }
}
