import { progressOf, sections } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import { rangeOf } from '../../text/rows.ts';
import type { Checklist, Row } from '../../text/types.ts';
import { type Command, json } from '../command.ts';

/** A row for output: all positions count from the text's start. */
function rowOutput(checklist: Checklist, row: Row, index: number) {
  const { from, to } = rangeOf(checklist, index);
  const { length: _, content, details, ...model } = row;
  const placed = <Range extends { from: number; to: number }>(range: Range) => ({
    ...range,
    from: from + range.from,
    to: from + range.to,
  });
  return {
    from,
    to,
    ...model,
    ...('marks' in model && { marks: model.marks.map(placed) }),
    content: placed(content),
    details: details.map(placed),
  };
}

export const read: Command = {
  name: 'read',
  summary: 'the rows and the progress of a checklist',
  takesText: true,
  options: {},
  details: `Prints {rows, progress, sections} as JSON. Every text can be read.

A row is {kind: "header", level, gates, customers, marks: [{from, to, gate?}]} or {kind: "checkbox", status, mandatory, assignee?, dueDate?}, both with
{from, to, text, content: {from, to}, details: [{from, to, text}], mentions, issueKeys}.
progress is {total, checked, percent, mandatoryOpen}; a section is {header, end, progress}, where header is the
index of its first row and end the index after its last.
Positions count UTF-16 units from the start of the text with line feeds as line ends.`,
  async run(call) {
    const checklist = readChecklist(await call.text(), await call.statuses());
    const rows = checklist.rows.map((row, index) => rowOutput(checklist, row, index));
    return { output: json({ rows, progress: progressOf(checklist.rows), sections: sections(checklist) }) };
  },
};
