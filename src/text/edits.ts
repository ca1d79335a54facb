/**
 * The structured edits: pure functions from a checklist to the text changes that make it so (`TextChange[]`, empty if
 * there is nothing to do). They touch the named rows only. Inline checklist, editor and server call the same ones.
 * Edits used only by the editor's commands (done, duplicate, format, kind) are separate, to keep them out of the
 * panel's chunk.
 */
export { clearAssignee, clearDueDate, setAssignee, setDueDate, textWithWords } from './edits/assign.ts';
export { setDetails } from './edits/details.ts';
export { setMandatory, setStatus, toggleChecked } from './edits/item.ts';
export { addIssueKey } from './edits/key.ts';
export { setCustomers, setGates } from './edits/marks.ts';
export { rename } from './edits/rename.ts';
export { clear, deleteRow, insertRows, moveRows, moveSection, sectionOf } from './edits/rows.ts';
export { applyTemplate } from './edits/template.ts';
export { setValue } from './edits/value.ts';
