import type { Notation } from '../convert.ts';
import { columnsOf } from './columns.ts';
import { cellsOf, delimiterOf, separatorLine } from './csv.ts';

const blockTag = /<\/(?:li|ul|ol|p|div|td|tr|table|h[1-6]|body|html|ac:task)>|<br\s?\/?>/i;
const anyTag = /<\/(?:span|a|b|i|em|strong|code|kbd|details|summary)>|<img\s/i;
const box = /^[ \t]*(?:[-*+]|\d{1,9}[.)]) \[[ xX~]\](?: |$)/m;
const listOrTitle = /^[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}) \S/m;

/** Whether a text is HTML of a mail, page or clipboard: not prose about a tag, nor Markdown with some tags. */
function isHtml(text: string): boolean {
  if (/^Version:\d|^\s{0,99}<(?:!doctype|html|meta)/i.test(text)) return true;
  if (/^\s{0,99}<[a-z]/i.test(text)) return (blockTag.test(text) || anyTag.test(text)) && !box.test(text);
  if (listOrTitle.test(text)) return false;
  return blockTag.test(text) || (anyTag.test(text) && !text.trim().includes('\n'));
}

const isIssueChecklist = (text: string) =>
  (/^>> /m.test(text) && !/^>(?!>)/m.test(text)) ||
  /^--- [^\s|-]|^(?:[-*] )?\[\](?:[ \t]|$)|^(?:[-*] ?)?\[[xX ]?\] ?\?(?:[ \t]|$)|^\* ?\?[ \t]/m.test(text);

const isOrg = (text: string) =>
  /^\*+ (?:TODO|DONE|NEXT|WAITING|STARTED) |^#\+\w+:|^#\+begin_|^:PROPERTIES:$|^(?:DEADLINE|SCHEDULED): <|^[ \t]{0,8}[-+] \[-\] |\[\d+\/\d+\]$|^\|-+\+-|^\*[^\n[]*\n(?:- )\[[ X]\] /im.test(
    text,
  ) ||
  (/^\*\*+ /m.test(text) && /^[ \t]{0,8}[-+] \[[ xX]\] /m.test(text));

const isTaskpaper = (text: string) =>
  /^\t*- [^\n]*[ \t]@(?:done|due|start|today|flag|priority|defer|waiting)\b/m.test(text) ||
  /^[^\s\-#*>][^\n]*:\n\t+- /m.test(text);

const isWiki = (text: string) =>
  /^h[1-6]\. |^(?:[*#-]+ )?\((?:\/|x)\)|^\|\||^(?:\*\*+|\*+#+|#+\*+) .*\n[*#]+ |\{\{[^{}\n]+\}\}|^\{(?:code|quote|panel|noformat)|\[[^\][\n|]+\|(?:https?:|mailto:)[^\][\n]+\]/m.test(
    text,
  );

const isGithub = (text: string) =>
  box.test(text) ||
  /^`{3,}|(?<![^\n]\n)^~{3,}|^\|?[ \t]*:?--+:?[ \t]*\||<!--/m.test(text) ||
  (blockTag.test(text) && listOrTitle.test(text)) ||
  anyTag.test(text);

/** Cells: a tab in every line, or commas or semicolons below a first row with known column names. */
function isCsv(text: string): boolean {
  if (separatorLine.test(text)) return true;
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
