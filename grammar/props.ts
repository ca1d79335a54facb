import { NodeProp } from '@lezer/common';

/** Marks nodes without dictionary words: codes, names and addresses. */
export const noSpellCheck = new NodeProp<boolean>();

/** The status that a mark stands for, by its slug. */
export const markStatus = new NodeProp<'todo' | 'done' | 'in_progress' | 'skipped'>();

/** Puts `markStatus` on the grammar's marks. */
export const statuses = markStatus.add({
  TodoMark: 'todo',
  DoneMark: 'done',
  InProgressMark: 'in_progress',
  SkippedMark: 'skipped',
});

/** Puts `noSpellCheck` on a parser's nodes. */
export const spelling = noSpellCheck.add({
  'Code Url IssueUrl LinkTarget IssueKey Mention MentionName DateRef Emoji Gate Customers': true,
});
