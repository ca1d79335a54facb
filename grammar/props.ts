import { NodeProp } from '@lezer/common';

/** Set on nodes that no dictionary knows: codes, names and addresses. */
export const noSpellCheck = new NodeProp<boolean>();

/** Puts `noSpellCheck` on a parser's nodes. */
export const spelling = noSpellCheck.add({
  'Code Url IssueUrl LinkTarget IssueKey Mention MentionName DateRef Emoji': true,
});
