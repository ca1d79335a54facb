import { losses } from '../../domain/messages.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, DraftBuilder, detail, header, item, paragraph } from './blocks.ts';
import { boxOf, keywordOf } from './head.ts';
import { cellsWithin, type Line, linesOf, MAX_MARKED_CHARS, SLICE_LINES, trimBlanks } from './lines.ts';
import { codeOf, type Delimiters, isLinked, linkOf, respanned } from './spans.ts';
import { readingTable, type TableRow } from './table.ts';

const delimiters: Delimiters = [
  ['*', '**'],
  ['/', '*'],
  ['+', '~~'],
];

/** Links, code, addresses and days. */
const aside =
  /\[\[([^\][]*)\](?:\[([^\][]*)\])?\]|(?<![\w=])=(\S[^=]*)=(?!\w)|(?<![\w~])~(\S[^~]*)~(?!\w)|https?:\/\/[^\s\]]+|[<[]\d{4}-\d\d-\d\d[^<>[\]]*[>\]]/g;

function inlineOf(text: string, line: number, draft: DraftBuilder): string {
  if (text.length > MAX_MARKED_CHARS) {
    draft.lost.push({ what: losses.length, line, text: '' });
    return text;
  }
  const renew = ([found = '', address = '', label = '', code = '', verbatim = '']: readonly string[]) => {
    if (code !== '' || verbatim !== '') return codeOf(code || verbatim);
    if (!found.startsWith('[[')) return found;
    if (isLinked(address)) return linkOf(label || address, address);
    if (label !== '') draft.lose(losses.address, line, address);
    return label || address;
  };
  return respanned(text, aside, renew, delimiters);
}

/** `[-]` is partly done in Org; the other boxes are the same in every notation. */
const ongoing = /^\[-\](?=[ \t\xa0]|$)/;

/** Keywords that a file declares, beyond the usual ones. Those behind a bar, or the last one, are complete. */
function declaredKeywords(text: string): Set<string> {
  const declared = new Set<string>();
  for (const [, words = ''] of text.matchAll(/^#\+(?:TODO|SEQ_TODO|TYP_TODO):(.*)$/gim))
    for (const word of words.split(/[\s|]+/)) if (word !== '') declared.add(word.replace(/\(.*\)$/, ''));
  return declared;
}

/** Org: headlines with or without a keyword, lists with boxes, counts, tags, drawers and deadlines. */
export function* readingOrg(text: string): Sliced<Draft> {
  const draft = new DraftBuilder();
  const declared = declaredKeywords(text);
  let drawer = false;
  let source = false;
  let itemIndent = -1;

  /** A title or an item without its count, priority and tags, which are reported. */
  const wordsOf = (content: string, number: number, isTitle: boolean): string => {
    let words = content;
    const take = (what: string, pattern: RegExp) => {
      words = words.replace(pattern, found => {
        draft.lose(what, number, found.trim());
        return '';
      });
    };
    if (isTitle) {
      take(losses.setting, /^\[#[A-Za-z0-9]\]/);
      take(losses.tag, /(?<=[ \t\xa0]):[\w@#%:]+:$/);
    }
    take(losses.count, /(?<=[ \t\xa0]|^)\[(?:\d*\/\d*|\d*%)\](?=[ \t\xa0]|$)/);
    return inlineOf(words.trim(), number, draft);
  };

  const readHeadline = (stars: number, content: string, number: number) => {
    const [first = ''] = content.split(/[ \t\xa0]/, 1);
    const keyword = keywordOf(content);
    const word = keyword?.word ?? (declared.has(first) ? first : '');
    const words = wordsOf(content.slice(word.length).trim(), number, true);
    const status = keyword?.status;
    itemIndent = word === '' ? -1 : 0;
    if (word === '') draft.add(header(words, stars));
    else if (status) draft.add(item(words, status));
    else {
      draft.lose(losses.status, number, word);
      draft.add(item(`[${word}] ${words}`));
    }
  };

  const readItem = (content: string, { number, indent, text: line }: Line) => {
    if (itemIndent >= 0 && indent > itemIndent) draft.nest(number, line);
    if (itemIndent < 0 || indent < itemIndent) itemIndent = indent;
    const counter = /^\[@(?:\d+|[A-Za-z])\](?=[ \t\xa0]|$)/.exec(content)?.[0] ?? '';
    draft.lose(losses.setting, number, counter);
    const itemText = trimBlanks(content.slice(counter.length));
    const box = boxOf(itemText);
    const words = wordsOf(box?.text ?? itemText, number, false);
    draft.lose(losses.status, number, box?.sign ?? '');
    draft.add(item(words, ongoing.test(itemText) ? 'in_progress' : box?.status, box?.mandatory));
  };

  /** `DEADLINE:` is the due day of the item above; other days of its planning are details. */
  const readPlanning = (line: string) => {
    const above = draft.blocks.at(-1);
    const [found = '', day, more = ''] = /DEADLINE:[ \t\xa0]*<(\d{4}-\d\d-\d\d)([^<>]*)>/.exec(line) ?? [];
    // A time or a repetition has no other place than the line that says it.
    const isDay = above?.kind === 'item' && day !== undefined && /^(?: \p{L}+\.?)?$/u.test(more);
    if (isDay) above.text += ` ${day}`;
    const remainingLine = trimBlanks(isDay ? line.replace(found, '') : line);
    if (remainingLine !== '') draft.add(detail(remainingLine));
  };

  /** `| a | b |`, or the rule below a table's head. */
  const tableRow = ({ number, text: line }: Line): TableRow => {
    const inner = line.slice(1).replace(/\|$/, '');
    const cells = cellsWithin(inner.split(/^[-+]+$/.test(inner) ? '+' : '|'));
    return { line: number, cells: cells.map(cell => inlineOf(trimBlanks(cell), number, draft)) };
  };

  const readLine = (line: Line) => {
    const { number, indent, text: content } = line;
    const stars = indent === 0 ? /^\*+(?=[ \t\xa0])/.exec(content)?.[0].length : undefined;
    const mark = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t\xa0]|$)/.exec(content)?.[0];
    if (/^:END:$/i.test(content)) drawer = false;
    else if (drawer) draft.lose(losses.setting, number, content);
    else if (/^#\+(?:begin|end)_/i.test(content)) {
      source = /^#\+begin_(?:src|example)/i.test(content);
      const kind = content
        .slice(2)
        .replace(/^(?:begin|end)_(?:src|example|quote|verse|center)(?=[ \t\xa0]|$)/i, '')
        .trim();
      draft.lose(losses.setting, number, kind);
    } else if (source) draft.add(detail(codeOf(content)));
    else if (/^:[\w-]+:$/.test(content) && (closers[number] ?? 0) > 0) drawer = true;
    else if (/^:(?:PROPERTIES|LOGBOOK):$/i.test(content)) draft.lose(losses.setting, number, content);
    else if (stars) readHeadline(stars, content.slice(stars).trim(), number);
    else if (/^#\+title:/i.test(content)) draft.add(header(inlineOf(content.slice(8).trim(), number, draft), 1));
    else if (content.startsWith('#+')) draft.lose(losses.setting, number, content);
    else if (/^#(?:[ \t\xa0]|$)/.test(content)) draft.lose(losses.comment, number, content);
    else if (/^(?:DEADLINE|SCHEDULED|CLOSED):/.test(content)) readPlanning(content);
    else if (mark) readItem(content.slice(mark.length).trim(), line);
    else if (itemIndent >= 0 && (indent > itemIndent || draft.above === 'item')) {
      draft.add(detail(inlineOf(content, number, draft)));
    } else draft.add(paragraph(inlineOf(content, number, draft)));
  };

  const lines = linesOf(text);
  // By line: the line of the next `:END:` before the next headline. A drawer without one is none.
  const closers: number[] = [];
  for (let i = lines.length - 1, closer = 0; i >= 0; i--) {
    const line = lines[i];
    if (line && /^:END:$/i.test(line.text)) closer = line.number;
    else if (line && line.indent === 0 && /^\*+[ \t\xa0]/.test(line.text)) closer = 0;
    if (line) closers[line.number] = closer;
  }
  let steps = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (++steps % SLICE_LINES === 0) yield;
    if (!line || line.text === '') continue;
    if (!line.text.startsWith('|') || source || drawer) {
      readLine(line);
      continue;
    }
    const rows: TableRow[] = [];
    for (let row = lines[i]; row?.text.startsWith('|'); row = lines[++i]) {
      rows.push(tableRow(row));
      if (rows.length % SLICE_LINES === 0) yield;
    }
    i--;
    draft.append(yield* readingTable(rows));
    itemIndent = -1;
  }
  return draft;
}
