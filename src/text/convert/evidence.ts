import type { Draft } from './blocks.ts';
import { cellsOf, delimiterOf, separatorLine } from './csv.ts';
import { allKeywords, listKeywords } from './head.ts';
import type { Notation } from './reader.ts';
import { statusOfWord } from './table/cell-words.ts';
import { knownNames } from './table/columns.ts';
import { alternatives, bracedSigns, codeMacros, textMacros } from './wiki/signs.ts';

/** Names of the macros of wiki markup, and code between two of them. */
const macroNames = alternatives([...codeMacros, ...textMacros]);
const macroOpening = new RegExp(`\\{(color|${macroNames})(?::[^{}\\n]*)?\\}`, 'g');
const codeBlock = new RegExp(`\\{(${alternatives(codeMacros)})(?::[^{}\\n]*)?\\}[\\s\\S]*?\\{\\1\\}`, 'g');

/** The weight of one mark of a notation for or against each reader. */
interface Mark {
  pattern: RegExp;
  /** The weight of the mark for each reader that understands it; below zero for a reader that would mistake it. */
  by: Partial<Record<Notation, number>>;
  /** How the mark looks in the words of a reading that did not understand it; the pattern itself unless given. */
  left?: RegExp;
}

/** The evidence: how the notations differ. Bullets, numbers and bold are everywhere and say nothing. */
const marks: readonly Mark[] = [
  // Boxes.
  {
    pattern: /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t\u00A0]+\[[ xX\u00A0]\](?=[\s\u00A0]|$)/gm,
    by: { github: 3, 'issue-checklist': 2, text: 2, wiki: 1, org: 1, taskpaper: 1, directives: 1 },
    left: /^\[[ xX\u00A0]\](?=[\s\u00A0]|$)/gm,
  },
  { pattern: /^#+ \[[ xX]\] /gm, by: { wiki: 1 }, left: /(?!)/g },
  { pattern: /^\[[ xX]\] /gm, by: { 'issue-checklist': 1, text: 1, github: 1, wiki: 1 } },
  { pattern: /^(?:[-*] )?\[\](?:[ \t\xa0]|$)/gm, by: { 'issue-checklist': 2, text: 1 }, left: /^\[\] /gm },
  { pattern: /^[ \t\xa0]{0,8}[-+] \[-\] /gm, by: { org: 2, github: 1, text: 1 }, left: /^\[-\] /gm },
  // Issue Checklist.
  { pattern: /^(?:[-*] ?)?\[[xX ]?\] ?\?(?:[ \t\xa0]|$)|^\* ?\?[ \t\xa0]/gm, by: { 'issue-checklist': 4 } },
  { pattern: /^-\[[ xX]\][ \t\xa0]/gm, by: { 'issue-checklist': 2, text: 1, github: 1 } },
  { pattern: /^>> /gm, by: { 'issue-checklist': 2 } },
  { pattern: /^>(?!>)/gm, by: { 'issue-checklist': -3, github: 0.5, text: 0.5 } },
  { pattern: /^--- [^\s|-](?!.*---$)/gm, by: { 'issue-checklist': 2 }, left: /^--- \S/gm },
  // Headers of hashes, which are items in wiki markup and comments in Org.
  { pattern: /^#{2,6} \S/gm, by: { github: 1, text: 1, 'issue-checklist': -1, wiki: -1, org: -1, taskpaper: -1 } },
  // Org.
  { pattern: new RegExp(`^\\*+ (?:${allKeywords}) `, 'gm'), by: { org: 3 } },
  { pattern: /^#\+\w+:|^#\+begin_/gim, by: { org: 3 } },
  { pattern: /^:PROPERTIES:$/gm, by: { org: 3 } },
  { pattern: /^(?:DEADLINE|SCHEDULED): </gm, by: { org: 2 } },
  { pattern: /\[\d+\/\d+\]$/gm, by: { org: 1 } },
  { pattern: /^\|-+\+-/gm, by: { org: 3 } },
  { pattern: /^\*+ [^\n[]*\n(?:[ \t\xa0]*[-+] )?\[[ xX-]\] /gm, by: { org: 4 } },
  { pattern: /\[\[https?:[^\][\n]*\]\[/g, by: { org: 2 } },
  // TaskPaper.
  {
    pattern: /^[ \t\xa0]*- [^\n]*[ \t\xa0]@(?:done|due|start|today|flag|priority|defer|waiting|cancell?ed)\b/gm,
    by: { taskpaper: 2 },
    left: /[ \t\xa0]@(?:done|due|start|today|flag|priority|defer|waiting)\b/g,
  },
  { pattern: /^[^\s\-#*>][^\n]*:\n\t+- /gm, by: { taskpaper: 2 } },
  // todo.txt.
  { pattern: /^\([A-Z]\) \S/gm, by: { 'todo-txt': 2 } },
  { pattern: /^x \d{4}-\d\d-\d\d /gm, by: { 'todo-txt': 3 } },
  {
    pattern: /^[^-+~#>*\s][^\n]* (?:\+\w+|due:\d{4}-\d\d-\d\d)(?= |$)/gm,
    by: { 'todo-txt': 1 },
    left: /\bdue:\d{4}-/g,
  },
  // Wiki markup.
  { pattern: /^h[1-6]\.(?=\s|[^\s\d.])/gm, by: { wiki: 8 } },
  { pattern: /^(?:[*#-]+ )?\((?:\/|x)\)(?=\s|$)/gm, by: { wiki: 2 }, left: /^\((?:\/|x)\)(?=\s|$)/gm },
  { pattern: /^\|\|/gm, by: { wiki: 3 }, left: /\|\|/g },
  { pattern: /^(?:\*\*+|\*+#+|#+\*+) .*\n[*#]+ /gm, by: { wiki: 1 }, left: /^\*+ /gm },
  // With a blank inside it is a template's variable.
  { pattern: /\{\{(?=\S)[^{}\n]+(?<=\S)\}\}/g, by: { wiki: 1 } },
  { pattern: /\[[^\][\n|]+\|(?:https?:|mailto:)[^\][\n]+\]/g, by: { wiki: 2 } },
  { pattern: new RegExp(bracedSigns, 'g'), by: { wiki: 1 } },
  // A status without a sign, and a box, as our export and the tracker's editor write them.
  { pattern: /^\*+ (?:\(\/\) )?\\\[(?:To Do|Done|In Progress|Skipped)\\\]/gm, by: { wiki: 4 }, left: /(?!)/g },
  { pattern: /^bq\. /gm, by: { wiki: 2 } },
  // The name of a status as our export writes it; a shorter text in brackets is a box that Markdown escapes.
  { pattern: /^\* (?:\(\/\) )?\\\[[^\][\\\n]{2,50}\\\] /gm, by: { wiki: 2 } },
  { pattern: /\[~(?!accountid:)[\w.-]+\]/g, by: { wiki: 1 } },
  { pattern: /(?<![\w!])![^!\s|[\](]+\.(?:png|jpe?g|gif|svg)(?:\|[^!\n]*)?!/gi, by: { wiki: 1.5 } },
  // Markdown.
  {
    pattern: /(?<![\w*])\*\*(?=[^\s*])[^*\n]{0,500}(?<=\S)\*\*(?!\*)/g,
    by: { github: 1, text: 1, wiki: -1 },
    left: /(?!)/g,
  },
  { pattern: /(?<!~)~~(?=[^\s~])[^~\n]{0,500}(?<=\S)~~(?!~)/g, by: { github: 1, text: 1, wiki: -1 }, left: /(?!)/g },
  { pattern: /\[[^\][\n]+\]\(https?:[^()\s]+\)/g, by: { github: 0.5, text: 0.5, wiki: -1, org: -1 }, left: /(?!)/g },
  { pattern: /^(?:`{3}\n`{3}|`{3}\[tasklist\])$/gm, by: { github: 3 } },
  { pattern: /^---\n(?:[\w-]+:.*\n|[ \t\xa0]+.*\n|- .*\n)+---$/g, by: { github: 4, 'issue-checklist': -2 } },
  { pattern: /^(?:\|[ \t\xa0]*:?-|[ \t\xa0]*:?-{2})-*:?[ \t\xa0]*\|[ \t:|-]*$/gm, by: { github: 10 } },
  { pattern: /<!--/g, by: { github: 1, html: 0.5 } },
  { pattern: /(?<!\\)!\[[^\][\n]*\]\([^()\s]*\)/g, by: { github: 1 } },
  { pattern: /^[ ]{0,3}\[[^\][\n]+\]: +https?:/gm, by: { github: 1 } },
  { pattern: /\]\[[^\][\n]*\]/g, by: { github: 0.5, org: 0.5 } },
  { pattern: /\\[_*[\]#`<>-]/g, by: { github: 1, wiki: 0.5 } },
  { pattern: /<(?:https?:\/\/|mailto:)[^\s<>]+>/g, by: { github: 1 } },
  { pattern: /&(?:#\d{1,7}|amp|lt|gt|nbsp|quot);/g, by: { github: 1, html: 1, wiki: 0.5 } },
  { pattern: new RegExp(`^[ \\t]*[-*] (?:${listKeywords}) `, 'gm'), by: { github: 2 } },
  { pattern: /(?:📅|🛫|✅|⏳|➕|❌) ?\d{4}-\d\d-\d\d/gu, by: { github: 1 } },
  // Checklist blocks.
  { pattern: /^:::[ \t\xa0]*checklist\b/gm, by: { directives: 4 } },
  { pattern: /^- text="/gm, by: { directives: 4 } },
  // A list mark in a first cell.
  { pattern: /^(?:[-*+•·■o§\uF020-\uF0FF]|\d{1,9}[.)])\t/gm, by: { csv: -3, text: 0.5 } },
  // Pages.
  { pattern: /^(?:Version:\d|\s{0,99}<(?:!doctype|\?xml|html|meta|opml|en-export)\b)/gi, by: { html: 20 } },
  { pattern: /(?<=\S)<br\s?\/?>|<br\s?\/?>(?=\S)/gi, by: { html: 1.5, github: 1 } },
  { pattern: /<img\s[^>]*\bsrc\b/gi, by: { html: 1, github: 1 } },
];

const blockTags = /^(?:li|ul|ol|p|div|td|tr|th|table|h[1-6]|body|html|ac:[\w-]+|en-note)$/;
const inlineTags = /^(?:span|a|b|i|em|strong|code|kbd|s|del|u|font|sub|sup|details|summary)$/;

/** Pairs of tags: one tag alone is what a text is about. */
function tagEvidence(text: string): { html: number; github: number } {
  const opened = new Map<string, number>();
  let [blocks, inline] = [0, 0];
  for (const [, slash, tag = '', closed] of text.matchAll(/<(\/?)([a-z][\w:-]*)\b[^<>]*?(\/?)>/gi)) {
    const name = tag.toLowerCase();
    const weight = () => {
      if (blockTags.test(name)) blocks++;
      else if (inlineTags.test(name)) inline++;
    };
    if (/^(?:ac:|en-)/.test(name) && closed === '/') blocks++;
    else if (slash === '') opened.set(name, (opened.get(name) ?? 0) + 1);
    else if ((opened.get(name) ?? 0) > 0) {
      opened.set(name, (opened.get(name) ?? 0) - 1);
      weight();
    }
  }
  return { html: 2 * blocks + inline, github: 0.5 * blocks + inline };
}

/** A head above which a table may have lines about itself, and the rows from it on. */
function headedRows(rows: readonly (readonly string[])[]): (readonly string[])[] {
  const at = rows
    .slice(0, 20)
    .findIndex(cells => cells.length > 1 && knownNames(cells) > 1 && knownNames(cells) * 4 >= cells.length);
  return at < 0 ? [] : rows.slice(at);
}

/** Counts pairs of macros, and the pairs on lines of their own. A macro without a pair may be the subject of a text. */
function macroPairs(text: string): { pairs: number; blocks: number } {
  const opened = new Map<string, number>();
  let [pairs, blocks] = [0, 0];
  for (const { 0: found, 1: name = '', index } of text.matchAll(macroOpening)) {
    const isLine = /^$|\n$/.test(text.slice(Math.max(0, index - 1), index));
    const isOpening = !opened.has(name) || found.includes(':');
    if (isOpening) opened.set(name, isLine ? 1 : 0);
    else {
      pairs++;
      blocks += isLine ? (opened.get(name) ?? 0) : 0;
      opened.delete(name);
    }
  }
  return { pairs, blocks };
}

/** Cells: a tab in each line, or commas or semicolons below a row of names. */
function cellEvidence(text: string): number {
  if (separatorLine.test(text)) return 20;
  const lines = text.split('\n').filter(line => line.trim() !== '');
  if (lines.length === 0) return 0;
  if (text.includes('\t') && lines.every(line => /\S\t/.test(line) || line.startsWith('"'))) return lines.length;
  const delimiter = delimiterOf(
    lines.find(line => knownNames(cellsOf(line, delimiterOf(line))[0]?.cells ?? []) > 1) ?? text,
  );
  if (delimiter === '|') return 0;
  const rows = cellsOf(text, delimiter)
    .map(({ cells }) => cells)
    .filter(cells => cells.some(cell => cell.trim() !== ''));
  const headed = headedRows(rows);
  const [head = []] = headed;
  if (headed.length > 0) {
    const even = headed.filter(cells => cells.length === head.length).length;
    const isNamed = knownNames(head) === head.length && head.every(name => name.trim() === name);
    const isWide = head.length > 2 || isNamed || headed.some(cells => cells.some(cell => cell.includes('\n')));
    // Rows as wide as their head are nothing else, whatever boxes stand in them.
    return 2 + (even === headed.length && isWide ? 4 : 1) * even;
  }
  // Without known names: many narrow cells, as many in each row.
  const [first = []] = rows;
  const even = rows.length > 2 && first.length > 2 && rows.every(cells => cells.length === first.length);
  const isData = rows
    .slice(1)
    .some(cells => cells.some(cell => statusOfWord(cell) !== undefined || /^\d[\d./:-]*$/.test(cell.trim())));
  return even && isData && !/[,;] /.test(lines[0] ?? '') ? rows.length : 0;
}

/** Without what stands in code, which shows marks of any notation. */
const withoutCode = (text: string) =>
  text
    .replace(/^[ \t]*(`{3,}|~{3,})(?!\[tasklist\])[^\n]*\n(?:(?![ \t]*\1).*\n)*?[ \t]*\1[`~]*$/gm, '```\n```')
    .replace(/(`+)(?!`)[^`\n]+\1(?!`)/g, '``')
    .replace(codeBlock, '{$1}{$1}');

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** The marks of each reader in a text, before anything is read: no reading is worth more. */
export function marksOf(text: string): Map<Notation, number> {
  const weights = new Map<Notation, number>();
  const add = (by: Partial<Record<Notation, number>>, times = 1) => {
    for (const [notation, weight] of Object.entries(by) as [Notation, number][])
      weights.set(notation, (weights.get(notation) ?? 0) + weight * times);
  };
  const prose = withoutCode(text);
  for (const { pattern, by } of marks) {
    const times = count(prose, pattern);
    if (times > 0) add(by, times);
  }
  add(tagEvidence(prose));
  const { pairs, blocks } = macroPairs(prose);
  add({ wiki: 3 * pairs + 6 * blocks });
  add({ csv: cellEvidence(text) });
  return weights;
}

/** The words of checklist text, without its own marks and without code. */
const wordsOf = (checklist: string) =>
  checklist.replace(/^(?:#{1,6}|[-+~x]|>)(?: !)?(?: |$)/gm, '').replace(/(`+)(?!`)[^`\n]+\1(?!`)/g, '');

const shownLines = (text: string) =>
  text
    .replace(/<[^<>]*>/g, '')
    .split('\n')
    .filter(line => line.trim() !== '').length;

/** The worth of a reading: marks understood, minus marks that remain in its words, minus losses. */
export function worthOf(
  notation: Notation,
  understood: number,
  source: string,
  written: string,
  { lost }: Draft,
): number {
  const words = wordsOf(written);
  const prose = withoutCode(source);
  let remainingMarks = 0;
  for (const { pattern, by, left: shape = pattern } of marks) {
    if ((by[notation] ?? 0) > 0) continue;
    // Only marks of the source that remain count, not text that looks alike.
    remainingMarks += Math.min(count(words, shape), count(prose, pattern));
  }
  // Tags that other readers would understand count, not tags that the text is about.
  const tags =
    notation === 'html' || notation === 'github'
      ? 0
      : Math.min(count(words, /<\/?[a-z][\w:-]*\b[^<>]*>/gi), tagEvidence(prose).github);
  const macros = notation === 'wiki' ? 0 : Math.min(count(words, macroOpening), macroPairs(prose).pairs);
  // Lines that a page runs together were lines of a text.
  const joined = notation === 'html' ? Math.max(0, shownLines(source) - written.split('\n').length) : 0;
  const kinds = new Set(lost.map(({ what }) => what)).size;
  return understood - remainingMarks - tags - macros - joined - 0.25 * kinds;
}
