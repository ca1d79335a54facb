import type { ChangeKind } from '../change.ts';

/** Describes each kind of change, for programs and their developers. */
export const changeWords: Readonly<Record<ChangeKind, string>> = {
  setItemStatus:
    'Gives an item a status, by its slug: todo, in_progress, done, skipped, or one of the site’s or project’s own.',
  updateChecklistItem:
    'Sets values of an item or header; those that are left out stay, null clears. Where a cleared assignee is mentioned inside of the sentence, `names` has the display name that takes the mention’s place.',
  deleteChecklistItem: 'Deletes a row with its details.',
  updateChecklistFromText: 'Replaces the whole text. What others changed since the base is merged.',
  addChecklistItemsFromText:
    'Adds one item for each line, before the row of that index, else at the end. Lines may have marks: `#` header, `-` to do, `~` in progress, `+` done, `x` skipped, `>` detail.',
  changeChecklistItems: 'Makes several of the changes of one row, with indexes in the common base: all or none.',
  moveChecklistItem:
    'Moves rows, or with `section` one header with its section, before the row of that index; the number of rows is the end.',
  clearChecklist: 'Deletes all rows.',
  applyTemplateToChecklist:
    'Adds the rows of templates, or replaces the existing ones by them. `section` is the header of the section that they go to.',
  applyDemoTemplateToChecklist: 'The same with the demo checklist.',
  convertItemToIssue:
    'Creates an issue from an item, which then holds its key: a sub-task, or a linked issue. The app needs the permission to create issues.',
  restoreChecklistRevision: 'Replaces the text by that of an earlier revision.',
};
