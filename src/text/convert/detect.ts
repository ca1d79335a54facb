import type { Notation } from '../convert.ts';
import { columnsOf } from './columns.ts';
import { cellsOf, delimiterOf } from './csv.ts';

/** A mail, a page or a clipboard, not a sentence about a tag. */
const isHtml = (text: string) =>
  /^Version:\d/.test(text) ||
  /<\/(?:li|ul|ol|p|div|td|tr|table|h[1-6]|span|body|html|a|b|strong|ac:task)>|<br\s?\/?>|^\s?<(?:!doctype|html|meta)/i.test(
    text,
  );

const isIssueChecklist = (text: string) =>
  /^>> |^--- \S|^(?:[-*] )?\[\](?:[ \t]|$)|^(?:[-*] )?\[[xX ]?\] \? /m.test(text);

const isOrg = (text: string) =>
  /^\*+ (?:TODO|DONE|NEXT|WAITING|STARTED) |^#\+\w+:|^#\+begin_|^:PROPERTIES:$|^(?:DEADLINE|SCHEDULED): <|^[ \t]{0,8}[-+] \[-\] |\[\d+\/\d+\]$|^\*[^\n[]*\n(?:- )\[[ X]\] /im.test(
    text,
  ) ||
  (/^\*\*+ /m.test(text) && /^[ \t]{0,8}[-+] \[[ xX]\] /m.test(text));

const isTaskpaper = (text: string) =>
  /^\t*- [^\n]*[ \t]@(?:done|due|start|today|flag|priority|defer|waiting)\b/m.test(text) ||
  /^[^\s\-#*>][^\n]*:\n\t+- /m.test(text);

const isWiki = (text: string) =>
  /^h[1-6]\. |^(?:[*#-]+ )?\((?:\/|x)\)|^\|\||^(?:\*\*+|##+[*#]*|[*#]*[*]#+|#\*+) .*\n(?:[*#]+ )|\{\{[^{}\n]+\}\}|^\{(?:code|quote|panel|noformat)|\[[^\][\n|]+\|(?:https?:|mailto:)[^\][\n]+\]/m.test(
    text,
  );

const isGithub = (text: string) =>
  /^[ \t]*(?:[-*+]|\d{1,9}[.)]) \[[ xX~]\](?: |$)|^(?:`{3,}|~{3,})|^\|[ :]*--|<!--/m.test(text);

/** Cells: a tab in every line, or commas or semicolons under a first row that names columns we know. */
function isCsv(text: string): boolean {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  if (lines.length > 0 && lines.every(line => /\S\t/.test(line) || /^"/.test(line)) && text.includes('\t')) return true;
  const delimiter = delimiterOf(text);
  const first = text.slice(0, text.indexOf('\n') + 1);
  const names = cellsOf(first, delimiter)[0]?.cells ?? [];
  return names.length > 1 && columnsOf(names) !== undefined;
}

const rules: readonly (readonly [Notation, (text: string) => boolean])[] = [
  ['html', isHtml],
  ['csv', isCsv],
  ['issue-checklist', isIssueChecklist],
  ['org', isOrg],
  ['taskpaper', isTaskpaper],
  ['wiki', isWiki],
  ['github', isGithub],
];

/**
 * The notation of a text by what no other has, in this order: tags; cells under known names or between tabs; `>>`, `---
 * Title` and boxes without a blank; keywords, counts and drawers of Org; `@done` or projects over tabs; `h2.`, `(/)`,
 * `||` and `[a|b]` of wiki markup; boxes, fences and tables of Markdown. What has none of them is ordinary text.
 */
export const detect = (text: string): Notation => rules.find(([, fits]) => fits(text))?.[0] ?? 'text';
