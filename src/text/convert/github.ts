import { losses } from '../../domain/messages.ts';
import { addDraft, type Block, type Draft, detail, header, item, type Loss, paragraph } from './blocks.ts';
import { boxOf, itemOf } from './head.ts';
import { isRule, type Line, linesOf, outsideCode } from './lines.ts';
import { pipeCells, type TableRow, tableDraft } from './table.ts';

const listMark = /^(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)/;
const headerMark = /^#{1,6}(?=[ \t]|$)/;
const fenceMark = /^(?:`{3,}(?=[^`]*$)|~{3,})/;

/** The words of a header without the hashes that may close it. */
function headerText(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end < text.length && (end === 0 || /[ \t]/.test(text[end - 1] ?? '')) ? text.slice(0, end) : text;
}

/** Where a comment begins a line. */
function commentStart(text: string, position: number): number {
  const start = /^[ \t]*<!--/gm;
  start.lastIndex = position;
  const found = start.exec(text);
  return found ? start.lastIndex - 4 : -1;
}

/** The comments that begin a line, which may be long; templates of issues are full of them. No reader sees them. */
function withoutComments(text: string, lost: Loss[]): string {
  const parts: string[] = [];
  let position = 0;
  let line = 1;
  for (;;) {
    const from = commentStart(text, position);
    const to = from < 0 ? -1 : text.indexOf('-->', from + 4);
    if (to < 0) break;
    const before = text.slice(position, from);
    const comment = text.slice(from, to + 3);
    // Line breaks stay, so that lines keep their numbers.
    parts.push(before, comment.replace(/[^\n]+/g, ''));
    line += before.split('\n').length - 1;
    lost.push({ what: losses.comment, line, text: comment.slice(4, -3).trim() });
    line += comment.split('\n').length - 1;
    position = to + 3;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

const image = /(?<!\\)!\[([^\][\n]*)\]\(([^()\s]*)(?:[ \t]+"[^"\n]*")?\)/g;
const titled = /(\]\([^\s()"]+)[ \t]+"([^"\n]*)"\)/g;

/** Inline markup that we write otherwise. */
function inlineOf(text: string, line: number, lost: Loss[]): string {
  const strip = (prose: string) => {
    // Up to the last end of a comment, every start has its end.
    const last = prose.lastIndexOf('-->');
    if (last < 0) return prose;
    return (
      prose.slice(0, last + 3).replace(/(?<!\\)<!--(.*?)-->/g, (_, comment: string) => {
        lost.push({ what: losses.comment, line, text: comment.trim() });
        return '';
      }) + prose.slice(last + 3)
    );
  };
  return outsideCode(text, prose =>
    strip(prose)
      .replace(image, (_, alt: string, address: string) => {
        lost.push({ what: losses.image, line, text: [alt, address].filter(part => part !== '').join(' ') });
        return '';
      })
      .replace(titled, (_, link: string, title: string) => {
        lost.push({ what: losses.title, line, text: title });
        return `${link})`;
      })
      .replace(/(?<!\\)<((?:https?:\/\/|mailto:)[^\s<>]+)>/gi, '$1')
      // Addresses keep their backslashes and underscores.
      .replace(
        /https?:\/\/(?:[^\s()<>"\\]|\\(?!<|!\[))+|\\([!-/:-@[-`{-~])|(?<![\p{L}\p{N}_\\])__(?!\s)([^_]*[^\s_])__(?![\p{L}\p{N}_])/gu,
        (found, escaped: string | undefined, bold: string | undefined) =>
          escaped ?? (bold === undefined ? found : `**${bold.replace(/\\([!-/:-@[-`{-~])/g, '$1')}**`),
      ),
  );
}

/** GitHub's and GitLab's Markdown: lists with or without boxes in any nesting, headers, tables, quotes and code. */
export function readGithub(text: string): Draft {
  const blocks: Block[] = [];
  const lost: Loss[] = [];
  const lines = linesOf(withoutComments(text, lost));
  let listIndent = -1;
  let blankAbove = true;
  let nested = false;

  /** Adds what the lines from `i` on hold together and gives the index of the last one. */
  const readBlock = (i: number, line: Line): number => {
    const fence = fenceMark.exec(line.text)?.[0];
    if (fence) return readCode(i, fence);
    if (line.text.startsWith('|')) {
      const rows: TableRow[] = [];
      let end = i;
      for (let row = lines[end]; row?.text.startsWith('|'); row = lines[++end]) {
        rows.push({ line: row.number, cells: pipeCells(row.text).map(cell => inlineOf(cell, line.number, lost)) });
      }
      addDraft({ blocks, lost }, tableDraft(rows));
      return end - 1;
    }
    return readLine(i, line);
  };

  const readCode = (i: number, fence: string): number => {
    const opening = lines[i];
    const info = opening?.text.slice(fence.length).trim() ?? '';
    if (opening && info !== '') lost.push({ what: losses.setting, line: opening.number, text: info });
    for (let end = i + 1; end < lines.length; end++) {
      const line = lines[end];
      if (line?.text.startsWith(fence) && /^(?:`+|~+)$/.test(line.text)) return end;
      if (line && line.text !== '') blocks.push(detail(line.text.includes('`') ? line.text : `\`${line.text}\``));
    }
    return lines.length;
  };

  const readLine = (i: number, { number, indent, text: line }: Line): number => {
    const inline = (part: string) => inlineOf(part, number, lost);
    const title = headerMark.exec(line)?.[0];
    const mark = listMark.exec(line)?.[0];
    const below = lines[i + 1]?.text ?? '';
    if (title) {
      blocks.push(header(inline(headerText(line.slice(title.length).trim())), title.length));
      listIndent = -1;
    } else if (isRule(line)) {
      listIndent = -1;
    } else if (mark) {
      if (listIndent >= 0 && indent > listIndent && !nested) {
        nested = true;
        lost.push({ what: losses.nesting, line: number, text: line });
      }
      if (listIndent < 0 || indent < listIndent) listIndent = indent;
      const content = line.slice(mark.length).trim();
      const box = boxOf(content);
      const read = box ? itemOf(box.text, box.status) : item(content);
      blocks.push({ ...read, text: inline(read.text) });
    } else if (line.startsWith('>')) {
      blocks.push(detail(inline(line.replace(/^> ?/, ''))));
    } else if (listIndent >= 0 && (indent > listIndent || !blankAbove)) {
      blocks.push(detail(inline(line)));
    } else if (/^(?:={3,}|-{3,})$/.test(below) && indent < 4) {
      blocks.push(header(inline(line), below.startsWith('=') ? 1 : 2));
      listIndent = -1;
      return i + 1;
    } else {
      blocks.push(paragraph(inline(line)));
      listIndent = -1;
    }
    return i;
  };

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line && line.text !== '') i = readBlock(i, line);
    blankAbove = (lines[i]?.text ?? '') === '';
  }
  return { blocks, lost };
}
