import { applyChanges } from '../../text/document.ts';
import { ChangedMeanwhile, EditRefused, InvalidOperation } from '../../text/errors.ts';
import { applyOperation } from '../../text/operation.ts';
import { readChecklist } from '../../text/read.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { type Command, json } from '../command.ts';
import { Refusal, UsageError } from '../errors.ts';

function parseOperation(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw new UsageError('--op is no JSON.');
  }
}

function changesOf(checklist: Checklist, operation: unknown): TextChange[] {
  try {
    return applyOperation(checklist, operation);
  } catch (error) {
    if (error instanceof InvalidOperation) throw new UsageError(error.message);
    if (error instanceof ChangedMeanwhile || error instanceof EditRefused) throw new Refusal(error.message);
    throw error;
  }
}

export const edit: Command = {
  name: 'edit',
  summary: 'one change of a checklist, as a click would make it',
  takesText: true,
  options: { op: { value: 'JSON', help: 'the edit, an object with the member "op"' } },
  details: `Prints the changed text. With --json {text, changes}, where a change is {from, to?, insert?}.
Exit code 1 if the row no longer exists or the text refuses the edit.

A target is {"index": ROW, "text": WHAT IT SAYS}: rows count from 0, the text is as "read" prints it.

  {"op": "setStatus", "target": T, "status": "done"}       a slug: todo, in_progress, done, skipped or your own
  {"op": "toggleChecked", "target": T}
  {"op": "setMandatory", "target": T, "mandatory": true}
  {"op": "setAssignee", "target": T, "assignee": "ACCOUNT ID"}
  {"op": "clearAssignee", "target": T, "names": {"ACCOUNT ID": "Ana"}}    names only of whom the sentence mentions
  {"op": "setDueDate", "target": T, "dueDate": "2026-11-20"}
  {"op": "clearDueDate", "target": T}
  {"op": "setGates", "target": T, "gates": ["Done"]}       all gates of a section; only for headers
  {"op": "setCustomers", "target": T, "customers": true}   whether portal customers see a section
  {"op": "rename", "target": T, "text": "New text"}
  {"op": "setDetails", "target": T, "text": "one line or several"}
  {"op": "insertRows", "index": 2, "text": "- one or more rows"}          without index at the end
  {"op": "deleteRow", "target": T}
  {"op": "moveRows", "targets": [T, …], "index": 0}        before the row that has this index now
  {"op": "moveSection", "target": T, "index": 0}           a header with the rows that it owns
  {"op": "clear"}

Clearing the assignee removes the people at the line's end. A person mentioned inside the sentence becomes plain
text there, so that person's name is required in "names".`,
  async run(call) {
    const operation = parseOperation(call.required('op'));
    const text = await call.text();
    const changes = changesOf(readChecklist(text, await call.statuses()), operation);
    const changed = applyChanges(text, changes);
    return { output: call.flag('json') ? json({ text: changed, changes }) : changed };
  },
};
