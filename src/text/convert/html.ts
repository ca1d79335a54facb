import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import { addDraft, type Block, type Draft, detail, header, item, type Loss, paragraph } from './blocks.ts';
import { boxOf, bulletOf } from './head.ts';
import {
  type Attributes,
  isBlock,
  isItem,
  isList,
  isUnseen,
  isVoid,
  lookOf,
  namedBy,
  referenceOf,
  statusOf,
  wordLevel,
} from './html/elements.ts';
import { addText, type Look, lineOf, plainLook, type Run } from './html/runs.ts';
import { OpenTable } from './html/table.ts';
import { type Token, tokensOf } from './html/tokens.ts';
import { codeOf } from './spans.ts';

/** An item whose first line is its text and whose others are details. */
interface OpenItem {
  status: BuiltInSlug;
  written: boolean;
}

interface OpenElement {
  name: string;
  look: Look;
  seen: boolean;
  list: boolean;
  item: OpenItem | undefined;
  /** Level of the header that the element is or stands in. */
  level: number;
  pre: boolean;
}

/** Browsers, too, let elements nest no deeper than this; what lies deeper is as if its parent held it. */
const DEPTH_MAX = 256;

const root: OpenElement = { name: '', look: plainLook, seen: true, list: false, item: undefined, level: 0, pre: false };

/** What an element that has been left open ends where another begins. */
const endsAt: Record<string, { ends: readonly string[]; within: readonly string[] }> = {
  li: { ends: ['li'], within: ['ul', 'ol'] },
  td: { ends: ['td', 'th'], within: ['tr', 'table'] },
  th: { ends: ['td', 'th'], within: ['tr', 'table'] },
  tr: { ends: ['tr'], within: ['table'] },
};

/** Reads the tokens of one document, line by line as a reader would see it. */
class HtmlReader {
  readonly blocks: Block[] = [];
  readonly lost: Loss[] = [];
  private readonly stack: OpenElement[] = [root];
  private readonly tables: OpenTable[] = [];
  private runs: Run[] = [];
  private box: BuiltInSlug | undefined;
  private line = 1;
  private nested: boolean = false;

  read(token: Token): void {
    this.line = token.line;
    if (token.kind === 'text') this.text(token.text);
    else if (token.kind === 'close') this.close(token.name);
    else this.open(token.name, token.attributes);
  }

  end(): Draft {
    this.flush();
    while (this.tables.length > 0) this.closeTable();
    return { blocks: this.blocks, lost: this.lost };
  }

  private get top(): OpenElement {
    return this.stack.at(-1) ?? root;
  }

  private text(text: string): void {
    const { seen, look, pre, name, item: open } = this.top;
    if (name === 'ac:task-status') {
      if (open && text.trim() === 'complete') open.status = 'done';
    } else if (name === 'ac:parameter') {
      if (seen && text.trim() !== '') this.lost.push({ what: losses.setting, line: this.line, text: text.trim() });
    } else if (seen && pre) {
      text.split('\n').forEach((line, i) => {
        if (i > 0) this.flush();
        addText(this.runs, line, look);
      });
    } else if (seen) addText(this.runs, text, look);
  }

  private open(name: string, attributes: Attributes): void {
    const ended = endsAt[name];
    if (ended) this.closeNearest(ended.ends, ended.within);
    if (isBlock(name)) this.flush();
    const status = statusOf(name, attributes);
    if (isVoid(name)) this.atom(name, attributes, status);
    else {
      this.element(name, attributes);
      if (status) this.setBox(status);
      if (this.top.seen) this.place(name, attributes);
    }
  }

  private setBox(status: BuiltInSlug): void {
    const { item: open, seen } = this.top;
    const table = this.tables.at(-1);
    if (!seen) return;
    if (table?.inCell) addText(this.runs, status === 'done' ? '[x] ' : '[ ] ', plainLook);
    else if (open && !open.written) open.status = status;
    else this.box = status;
  }

  private atom(name: string, attributes: Attributes, status: BuiltInSlug | undefined): void {
    if (!this.top.seen) return;
    if (status) this.setBox(status);
    else if (name === 'br' && this.top.level > 0) addText(this.runs, ' ', this.top.look);
    else if (name === 'br') this.flush();
    else if (name === 'img') this.image(attributes);
    else addText(this.runs, namedBy(name, attributes), this.top.look);
  }

  private image(attributes: Attributes): void {
    const alt = (attributes.get('alt') ?? '').trim();
    const source = attributes.get('src') ?? '';
    if (/^\p{Extended_Pictographic}|^:[\w+-]+:$/u.test(alt)) addText(this.runs, alt, this.top.look);
    else if (attributes.get('width') !== '1') {
      const address = source.startsWith('data:') ? '' : source;
      this.lost.push({ what: losses.image, line: this.line, text: [alt, address].filter(Boolean).join(' ') });
    }
  }

  private element(name: string, attributes: Attributes): void {
    if (this.stack.length >= DEPTH_MAX) return;
    const around = this.top;
    const level = /^h[1-6]$/.test(name) ? Number(name[1]) : around.level;
    this.stack.push({
      name,
      look: lookOf(name, attributes, around.look),
      seen: around.seen && !isUnseen(name, attributes),
      list: isList(name, attributes),
      item: isItem(name, attributes) ? { status: 'todo', written: false } : around.item,
      level: isItem(name, attributes) ? 0 : level,
      pre: around.pre || name === 'pre' || name === 'ac:plain-text-body',
    });
  }

  /** What an element that has just been opened means for the lines in it. */
  private place(name: string, attributes: Attributes): void {
    const table = this.tables.at(-1);
    if (table?.inCell && (isItem(name, attributes) || name === 'table' || /^h[1-6]$/.test(name))) {
      addDraft(this, table.take());
      table.layout = true;
    }
    if (name === 'table') this.tables.push(new OpenTable());
    else if (name === 'tr') table?.startRow(this.line);
    else if (name === 'td' || name === 'th') table?.startCell(name === 'th', this.line);
    else {
      const reference = this.top.name === name ? referenceOf(name, attributes) : undefined;
      if (reference !== undefined) {
        // In the notation that we read as one; what stands there in words says the same.
        addText(this.runs, reference, { ...this.top.look, href: '' });
        this.top.seen = false;
      }
    }
    if (isItem(name, attributes) && !this.nested) {
      const lists = this.stack.filter(({ list }) => list).length;
      this.nested = lists > 1 || wordLevel(attributes) > 1;
    }
  }

  private close(name: string): void {
    if (name === 'br') this.flush();
    if (isVoid(name)) return;
    this.closeNearest([name], name === 'table' ? [] : ['table']);
  }

  private closeNearest(names: readonly string[], within: readonly string[]): void {
    for (let i = this.stack.length - 1; i > 0; i--) {
      const { name } = this.stack[i] ?? root;
      if (names.includes(name)) {
        while (this.stack.length > i) this.leave();
        return;
      }
      if (within.includes(name)) return;
    }
  }

  private leave(): void {
    const { name } = this.top;
    if (isBlock(name)) this.flush();
    this.stack.pop();
    if (name === 'table') this.closeTable();
    else if (name === 'tr') this.tables.at(-1)?.endRow();
    else if (name === 'td' || name === 'th') this.tables.at(-1)?.endCell();
  }

  private closeTable(): void {
    const table = this.tables.pop();
    if (table) addDraft(this, table.take());
  }

  /** Ends the line that is being read. */
  private flush(): void {
    const { runs, box } = this;
    this.runs = [];
    this.box = undefined;
    const { item: open, level, pre } = this.top;
    const status = box ?? open?.status;
    const text = lineOf(runs, this.line, this.lost, level > 0 ? 'bold' : status === 'done' ? 'strike' : undefined);
    const table = this.tables.at(-1);
    if (text === '') {
      if (box && open && !open.written) open.status = box;
      else this.box = box;
    } else if (table?.inCell) table.addLine(text);
    else if (open?.written) this.blocks.push(box ? item(text, box) : detail(pre ? codeOf(text) : text));
    else if (open) {
      const boxed = boxOf(text);
      this.blocks.push(item(boxed?.text ?? text, boxed?.status ?? status));
      open.written = true;
      if (this.nested && !this.lost.some(({ what }) => what === losses.nesting)) {
        this.lost.push({ what: losses.nesting, line: this.line, text });
      }
    } else if (level > 0) this.blocks.push(header(text, level));
    else this.prose(text, box);
  }

  /** A line outside lists; mails and notes write their bullets and boxes as text. */
  private prose(text: string, box: BuiltInSlug | undefined): void {
    const bullet = bulletOf(text)?.text;
    const boxed = boxOf(bullet ?? text);
    if (box || boxed || bullet !== undefined)
      this.blocks.push(item(boxed?.text ?? bullet ?? text, boxed?.status ?? box));
    else this.blocks.push(paragraph(text));
  }
}

/** HTML of a clipboard or a mail: lists with and without boxes, headers, tables, prose. Layout and looks go, emphasis and links stay. */
export function readHtml(text: string): Draft {
  // Windows puts a description of the clipboard before the markup.
  const html = /^Version:\d/.test(text) ? text.slice(Math.max(0, text.indexOf('<'))) : text;
  const reader = new HtmlReader();
  for (const token of tokensOf(html)) reader.read(token);
  return reader.end();
}
