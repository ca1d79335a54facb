/**
 * The structured edits: pure functions from a checklist to the text changes that make it so (`TextChange[]`, empty if
 * there is nothing to do). They touch the named rows only. Inline checklist, editor and server call the same ones.
 */
export { clearAssignee, clearDueDate, setAssignee, setDueDate } from './edits/assign.ts';
export { setDetails } from './edits/details.ts';
export { clearDone, sortDone } from './edits/done.ts';
export { duplicateRows } from './edits/duplicate.ts';
export { toggleEmphasis, toggleLink } from './edits/format.ts';
export { rename, setMandatory, setStatus, toggleChecked } from './edits/item.ts';
export { addIssueKey } from './edits/key.ts';
export { detachDetail, makeDetail, makeHeader, makeItem, setLevel } from './edits/kind.ts';
export { clear, deleteRow, insertRows, moveRows, moveSection } from './edits/place.ts';
export { applyTemplate } from './edits/template.ts';
