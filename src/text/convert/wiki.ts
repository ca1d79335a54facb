import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import { addDraft, type Block, type Draft, detail, header, type Loss, paragraph } from './blocks.ts';
import { itemOf } from './head.ts';
import { decoded } from './html/entities.ts';
import { type Line, linesOf } from './lines.ts';
import { codeOf, type Delimiters, isLinked, linkOf, respanned } from './spans.ts';
import { type TableRow, tableDraft } from './table.ts';

const delimiters: Delimiters = [
  ['*', '**'],
  ['-', '~~'],
];

/** Code, brackets, images, addresses, line breaks, escapes, characters by name and colours. */
const aside =
  /\{\{([^{}]*)\}\}|\[([^\][]*)\]|!([^!\s|]+\.\w+(?:\|[^!]*)?)!|https?:\/\/[^\s|\]]+|\\\\|\\([!-/:-@[-`{-~])|&(?:#\d{1,8}|[A-Za-z][A-Za-z0-9]{1,30});|\{(?:color|anchor)(?::[^{}]*)?\}/g;

function bracketOf(inside: string, line: number, lost: Loss[]): string {
  if (inside.startsWith('^')) {
    lost.push({ what: losses.attachment, line, text: inside.slice(1) });
    return '';
  }
  if (/^~accountid:/.test(inside)) return `[${inside}]`;
  if (inside.startsWith('~')) return `@${inside.slice(1)}`;
  const bar = inside.indexOf('|');
  const label = bar < 0 ? inside : inside.slice(0, bar);
  const address = (bar < 0 ? inside : inside.slice(bar + 1)).split('|')[0]?.trim() ?? '';
  if (isLinked(address)) return linkOf(label, address);
  if (bar < 0) return `[${inside}]`;
  lost.push({ what: losses.address, line, text: inside.slice(bar + 1) });
  return label;
}

function inlineOf(text: string, line: number, lost: Loss[]): string {
  const renew = ([found = '', code = '', bracket = '', image = '', escaped = '']: readonly string[]) => {
    if (found.startsWith('{{')) return codeOf(code);
    if (found.startsWith('[')) return bracketOf(bracket, line, lost);
    if (found.startsWith('!')) {
      lost.push({ what: losses.image, line, text: image });
      return '';
    }
    if (escaped !== '') return escaped;
    if (found === '\\\\') return ' ';
    if (found.startsWith('&')) return decoded(found);
    return found.startsWith('{') ? '' : found;
  };
  return respanned(text, aside, renew, delimiters);
}

const signs: Record<string, BuiltInSlug> = { '(/)': 'done', '(x)': 'todo' };

/** Blocks between a pair of macros: what a line within becomes. */
const macro = /^\{(code|noformat|quote|panel|expand|info|note|tip|warning)(?::([^{}]*))?\}/;

/** The tracker's wiki markup: `h2.` headers, `*`, `#` and `-` lists, `(/)` and `(x)` signs, tables and macros. */
export function readWiki(text: string): Draft {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  const lines = linesOf(text);
  let inside = '';
  let inList = false;
  let nested = false;

  const holdsCode = () => inside === 'code' || inside === 'noformat';

  /** A line that says nothing but what is lost is no line. */
  const put = (block: Block, source: string) => {
    if (block.text !== '' || source === '') blocks.push(block);
  };

  const readLine = ({ number, text: line }: Line) => {
    const inline = (part: string) => inlineOf(part, number, lost);
    const title = /^h([1-6])\.(?=[ \t]|$)/.exec(line);
    const mark = /^(?:(?:[*#]+-*|-{1,2})(?=[ \t])|[*#-]$)/.exec(line)?.[0];
    if (title) {
      blocks.push(header(inline(line.slice(3).trim()), Number(title[1])));
      inList = false;
    } else if (/^-{4,}$/.test(line)) {
      inList = false;
    } else if (mark || /^\((?:\/|x)\)/.test(line)) {
      if (mark && mark.length > 1 && mark !== '--' && !nested) {
        nested = true;
        lost.push({ what: losses.nesting, line: number, text: line });
      }
      const content = line.slice(mark?.length ?? 0).trim();
      const status = signs[content.slice(0, 3)];
      // What our export writes for a status without a sign.
      const words = (status ? content.slice(3).trim() : content).replace(/^\\\[(in progress|skipped)\\\]/i, '[$1]');
      const read = itemOf(words, status);
      blocks.push({ ...read, text: inline(read.text) });
      inList = true;
    } else if (/^bq\.(?=[ \t]|$)/.test(line)) put(detail(inline(line.slice(3).trim())), line.slice(3).trim());
    else if (inside === 'quote' || inList) put(detail(inline(line)), line);
    else put(paragraph(inline(line)), line);
  };

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (!line) continue;
    const opened = macro.exec(line.text);
    const [, name = '', parameters = ''] = opened ?? [];
    const rest = line.text.slice(opened?.[0].length ?? 0);
    if (line.text === '') inList = false;
    else if (opened && (inside === '' || inside === name)) {
      inside = inside === name ? '' : name;
      if (parameters !== '') lost.push({ what: losses.setting, line: line.number, text: parameters });
      if (rest !== '' && inside === '') readLine({ ...line, text: rest });
      else if (rest !== '') readInside(rest, line);
    } else if (holdsCode()) readInside(line.text, line);
    else if (line.text.startsWith('|')) i = readTable(i);
    else if (inside === 'quote') readInside(line.text, line);
    else readLine(line);
  }

  function readInside(content: string, line: Line): void {
    const end = content.indexOf(`{${inside}}`);
    const words = (end < 0 ? content : content.slice(0, end)).trim();
    if (words !== '' && holdsCode()) blocks.push(detail(codeOf(words)));
    else if (words !== '' && inside === 'quote') put(detail(inlineOf(words, line.number, lost)), words);
    else if (words !== '') readLine({ ...line, text: words });
    if (end < 0) return;
    const after = content.slice(end + inside.length + 2).trim();
    inside = '';
    if (after !== '') readLine({ ...line, text: after });
  }

  function readTable(from: number): number {
    const rows: TableRow[] = [];
    let end = from;
    for (let line = lines[end]; line?.text.startsWith('|'); line = lines[++end]) {
      const head = line.text.startsWith('||');
      // A bar inside brackets belongs to a link.
      const parts = line.text.replace(/\[[^\][]*\]/g, link => link.replace(/\|/g, '\0')).split(head ? '||' : '|');
      const cells = parts.slice(1, (parts.at(-1) ?? '').trim() === '' ? -1 : undefined);
      const number = line.number;
      rows.push({
        line: number,
        head,
        cells: cells.map(cell => inlineOf(cell.replace(/\0/g, '|').trim(), number, lost)),
      });
    }
    addDraft({ blocks, lost }, tableDraft(rows));
    inList = false;
    return end - 1;
  }
  return { blocks, lost };
}
