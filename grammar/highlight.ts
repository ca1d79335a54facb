import { styleTags, tags as t } from '@lezer/highlight';

/** What each node of a checklist is to a highlighter. Whole-line looks (done, skipped) come from the rows, not from here. */
export const highlighting = styleTags({
  'Header/...': t.heading,
  HeaderMark: t.processingInstruction,
  'TodoMark DoneMark InProgressMark SkippedMark': t.list,
  Mandatory: t.modifier,
  'StatusLabel/...': t.labelName,
  StatusBracket: t.squareBracket,
  'Details/...': t.quote,
  DetailsMark: t.processingInstruction,
  'Bold/...': t.strong,
  'Italic/...': t.emphasis,
  'Strike/...': t.strikethrough,
  EmphasisMark: t.processingInstruction,
  Code: t.monospace,
  'Link/...': t.link,
  LinkBracket: t.processingInstruction,
  'LinkTarget Url IssueUrl': t.url,
  IssueKey: t.name,
  'Mention MentionName': t.atom,
  DateRef: t.literal,
  Emoji: t.character,
  'Gate Customers': t.annotation,
});
