import { type ChecklistEdit, editSchema } from '../../domain/change.ts';
import { parseAs } from '../../domain/shape.ts';
import { applyChanges } from '../../text/document.ts';
import { ChangedMeanwhile, EditRefused } from '../../text/errors.ts';
import { changesOf } from '../../text/perform.ts';
import { readChecklist } from '../../text/read.ts';
import type { Checklist, TextChange } from '../../text/types.ts';
import { type Command, json } from '../command.ts';
import { Refusal, UsageError } from '../errors.ts';

function parseEdit(source: string): ChecklistEdit {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new UsageError('--change is no JSON.');
  }
  return parseAs(editSchema, value, problem => new UsageError(`--change is no change of a checklist: ${problem}`));
}

function permitted(checklist: Checklist, edit: ChecklistEdit): TextChange[] {
  try {
    return changesOf(checklist, edit);
  } catch (error) {
    if (error instanceof ChangedMeanwhile || error instanceof EditRefused) throw new Refusal(error.message);
    throw error;
  }
}

export const edit: Command = {
  name: 'edit',
  summary: 'one change of a checklist, as a click would make it',
  takesText: true,
  options: { change: { value: 'JSON', help: 'the change, an object with the member "kind", as in the API' } },
  details: `Prints the changed text. With --json {text, changes}, where a change is {from, to?, insert?}.
Exit code 1 if the row no longer exists or the text refuses the change.

A target is {"index": ROW, "text": WHAT IT SAYS}: rows count from 0, the text is as "read" prints it.

  {"kind": "setItemStatus", "target": T, "status": "done"}  a slug: todo, in_progress, done, skipped or your own
  {"kind": "updateChecklistItem", "target": T, "values": {…}}
     "text", "details"                 words of the row, and lines below it
     "mandatory": true
     "assignee": "ACCOUNT ID"          null for none
     "names": {"ACCOUNT ID": "Ana"}    with "assignee": null, of whom the sentence mentions
     "dueDate": "2026-11-20"           null for none
     "gates": ["Done"]                 all gates of a section; only for headers
     "customers": true                 whether portal customers see a section
  {"kind": "addChecklistItemsFromText", "index": 2, "text": "- one or more rows"}    without index at the end
  {"kind": "deleteChecklistItem", "target": T}
  {"kind": "changeChecklistItems", "edits": [ … ]}          several of those of one row, each with another row
  {"kind": "moveChecklistItem", "targets": [T, …], "section": false, "index": 0}
     before the row that has this index now; with "section": true a header with the rows that it owns
  {"kind": "updateChecklistFromText", "text": "the whole text"}
  {"kind": "clearChecklist"}

Clearing the assignee removes the people at the line's end. A person mentioned inside the sentence becomes plain
text there, so that person's name is required in "names".`,
  async run(call) {
    const change = parseEdit(call.required('change'));
    const text = await call.text();
    const changes = permitted(readChecklist(text, await call.statuses()), change);
    const changed = applyChanges(text, changes);
    return { output: call.flag('json') ? json({ text: changed, changes }) : changed };
  },
};
