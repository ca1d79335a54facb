/**
 * The structured edits: pure functions from a checklist to the text changes that make it so (`TextChange[]`, empty if
 * there is nothing to do). They touch the named rows only. Inline checklist, editor and server call the same ones.
 */
export { rename, setMandatory, setStatus, toggleChecked } from './edits/item.ts';
export { deleteRow, insertRows, moveRows } from './edits/place.ts';
