import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import { finish, type Sliced } from '../sliced.ts';
import { type Draft, DraftBuilder, detail, header, item, paragraph } from './blocks.ts';
import { boxOf, bulletOf, itemOf } from './head.ts';
import {
  type Attributes,
  confluenceText,
  emojiOf,
  isBlock,
  isItem,
  isLinkBody,
  isList,
  isShownParameter,
  isTask,
  isUnseen,
  isVoid,
  lookOf,
  macroOf,
  outlineOf,
  referenceOf,
  statusOf,
  wordLevel,
} from './html/elements.ts';
import { parsingHtml } from './html/parse-html.ts';
import { addText, type Look, lineOf, plainLook, type Run } from './html/runs.ts';
import { preparing } from './html/source.ts';
import { OpenTable } from './html/table.ts';
import type { HtmlElement } from './html/tree.ts';
import { markupOfXml } from './html/xml-exports.ts';
import { codeOf } from './spans.ts';
import { readingText } from './text.ts';

/** An item whose first line is its text; its other lines are details. */
interface OpenItem {
  status: BuiltInSlug;
  written: boolean;
  /** Whether its words may begin with a status and `!`: an item of a task list, as our export and GitHub write. */
  task: boolean;
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
  /** The macro of Confluence that the element is or stands in. */
  macro: string;
  /** Of a link of Confluence, whether it shows words of its own. */
  worded: boolean;
}

/** Nodes between two pauses. */
const SLICE_NODES = 500;

/** How many pieces of different looks a line may have. A longer one is parted, as a line is written in one step. */
const MAX_LINE_RUNS = 2000;

const root: OpenElement = {
  name: '',
  look: plainLook,
  seen: true,
  list: false,
  item: undefined,
  level: 0,
  pre: false,
  macro: '',
  worded: false,
};

/** Reads the tokens of one document, line by line as a reader would see it. */
class HtmlReader {
  readonly draft: DraftBuilder = new DraftBuilder();
  private readonly stack: OpenElement[] = [root];
  private readonly tables: OpenTable[] = [];
  private runs: Run[] = [];
  private box: BuiltInSlug | undefined;
  private line = 1;
  private nested: boolean = false;

  /** Reads what an element holds, in the order of the page. */
  *read(tree: HtmlElement): Sliced<void> {
    const open: { element: HtmlElement; next: number }[] = [{ element: tree, next: 0 }];
    let steps = 0;
    for (let at = open.at(-1); at; at = open.at(-1)) {
      if (++steps % SLICE_NODES === 0) yield;
      const { element } = at;
      const child = element.children[at.next++];
      if (child === undefined) {
        open.pop();
        if (open.length > 0 && !isVoid(element.name)) yield* this.leave();
      } else if (typeof child === 'string') {
        yield* this.text(child);
        for (let i = child.indexOf('\n'); i >= 0; i = child.indexOf('\n', i + 1)) this.line++;
      } else {
        yield* this.open(child.name, child.attributes);
        this.top.worded = child.name === 'ac:link' && child.children.some(isLinkBody);
        open.push({ element: child, next: 0 });
      }
    }
    this.flush();
    while (this.tables.length > 0) yield* this.closeTable();
  }

  private get top(): OpenElement {
    return this.stack.at(-1) ?? root;
  }

  private *text(text: string): Sliced<void> {
    const { seen, look, pre, name, item: open } = this.top;
    if (name === 'ac:task-status') {
      if (open && text.trim() === 'complete') open.status = 'done';
    } else if (name === 'ac:parameter' && !isShownParameter(this.top.macro)) {
      if (seen) this.draft.lose(losses.setting, this.line, text.trim());
    } else if (seen && pre) {
      for (const [i, line] of text.split('\n').entries()) {
        if (i > 0) this.flush();
        if (i % SLICE_NODES === SLICE_NODES - 1) yield;
        addText(this.runs, line, look);
      }
    } else if (seen) {
      if (this.runs.length >= MAX_LINE_RUNS) this.flush();
      addText(this.runs, text, look);
    }
  }

  private *open(name: string, attributes: Attributes): Sliced<void> {
    if (isBlock(name)) this.flush();
    const status = statusOf(name, attributes);
    if (isVoid(name)) this.atom(name, attributes, status);
    else {
      this.element(name, attributes);
      if (status) this.setBox(status);
      else if (this.top.seen) addText(this.runs, emojiOf(name, attributes), this.top.look);
      if (this.top.seen) yield* this.place(name, attributes);
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
    else this.reference(name, attributes);
  }

  /** Reports the target of a Confluence link, or shows the target if the link has no words of its own. */
  private reference(name: string, attributes: Attributes): void {
    const { look, worded, name: around } = this.top;
    const shown = confluenceText(name, attributes);
    if (around === 'ac:image') this.draft.lose(losses.image, this.line, shown);
    else if (worded && !shown.startsWith('[~')) this.draft.lose(losses.address, this.line, shown);
    else addText(this.runs, shown, look);
    this.draft.lose(losses.setting, this.line, attributes.get('ri:userkey') ?? '');
  }

  private image(attributes: Attributes): void {
    const alt = (attributes.get('alt') ?? '').trim();
    const source = attributes.get('src') ?? '';
    if (/^\p{Extended_Pictographic}|^:[\w+-]+:$/u.test(alt)) addText(this.runs, alt, this.top.look);
    else if (attributes.get('width') !== '1') {
      const address = source.startsWith('data:') ? '' : source;
      this.draft.lost.push({ what: losses.image, line: this.line, text: [alt, address].filter(Boolean).join(' ') });
    }
  }

  private element(name: string, attributes: Attributes): void {
    const around = this.top;
    const level = /^h[1-6]$/.test(name) ? Number(name[1]) : around.level;
    this.stack.push({
      name,
      look: lookOf(name, attributes, around.look),
      seen: around.seen && !isUnseen(name, attributes),
      list: isList(name, attributes),
      item: isItem(name, attributes) ? { status: 'todo', written: false, task: isTask(attributes) } : around.item,
      level: isItem(name, attributes) ? 0 : level,
      macro: macroOf(name, attributes, around.macro),
      worded: false,
      pre: around.pre || name === 'pre' || name === 'ac:plain-text-body',
    });
  }

  /** Sets how the lines of a just opened element are read. */
  private *place(name: string, attributes: Attributes): Sliced<void> {
    const table = this.tables.at(-1);
    if (table?.inCell && (isItem(name, attributes) || name === 'table' || /^h[1-6]$/.test(name))) {
      this.draft.append(yield* table.take());
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
    if (name === 'outline') this.outline(attributes);
  }

  /** OPML's outlines say everything in attributes. */
  private outline(attributes: Attributes): void {
    const { text, note, href, others } = outlineOf(attributes);
    for (const [i, line] of [text, ...note.split('\n')].entries()) {
      addText(this.runs, line, i === 0 ? { ...plainLook, href } : plainLook);
      this.flush();
    }
    this.draft.lose(losses.setting, this.line, others);
  }

  private *leave(): Sliced<void> {
    const { name } = this.top;
    if (isBlock(name)) this.flush();
    this.stack.pop();
    if (name === 'table') yield* this.closeTable();
    else if (name === 'tr') this.tables.at(-1)?.endRow();
    else if (name === 'td' || name === 'th') this.tables.at(-1)?.endCell();
  }

  private *closeTable(): Sliced<void> {
    const table = this.tables.pop();
    if (table) this.draft.append(yield* table.take());
  }

  /** Ends the line that is being read. */
  private flush(): void {
    const { runs, box } = this;
    this.runs = [];
    this.box = undefined;
    const { item: open, level, pre } = this.top;
    const status = box ?? open?.status;
    const text = lineOf(runs, this.line, this.draft, level > 0 ? 'bold' : status === 'done' ? 'strike' : undefined);
    const table = this.tables.at(-1);
    if (text === '') {
      if (box && open && !open.written) open.status = box;
      else this.box = box;
    } else if (table?.inCell) table.addLine(text);
    else if (open?.written) this.draft.add(box ? item(text, box) : detail(pre ? codeOf(text) : text));
    else if (level > 0 && !open) this.draft.add(header(text, level));
    else {
      // Mails and notes write their bullets and boxes as text.
      const bullet = bulletOf(text)?.text;
      const boxed = boxOf(bullet ?? text);
      const isItem = open ?? box ?? boxed ?? bullet;
      const words = boxed?.text ?? (open ? text : (bullet ?? text));
      const parsedItem = open?.task || boxed ? itemOf(words, boxed?.status ?? status) : item(words, status);
      this.draft.add(
        isItem === undefined
          ? paragraph(text)
          : { ...parsedItem, mandatory: parsedItem.mandatory || (boxed?.mandatory ?? false) },
      );
      if (open && this.nested) this.draft.nest(this.line, text);
      if (open) open.written = true;
    }
  }
}

/**
 * HTML of a clipboard, a mail or a page of Confluence: lists with and without boxes, headers, tables, prose. Layout and
 * looks go, emphasis and links stay.
 */
export function* readingHtml(text: string): Sliced<Draft> {
  // Windows puts a description of the clipboard before the markup.
  const { html, isSimple, comments } = yield* preparing(
    /^Version:\d/.test(text) ? text.slice(Math.max(0, text.indexOf('<'))) : markupOfXml(text),
  );
  yield;
  if (!isSimple) {
    const lost = comments.map(({ line, text }) => ({ what: losses.comment, line, text }));
    const shown = html.replace(/<(?:!--([\s\S]*?)--|\/?[a-z][^<>]*)>/gi, (_, comment: string | undefined) => {
      const words = comment?.trim() ?? '';
      if (words !== '') lost.push({ what: losses.comment, line: 1, text: words });
      return ' ';
    });
    const textDraft = yield* readingText(shown);
    return { ...textDraft, lost: [{ what: losses.depth, line: 1, text: '' }, ...lost, ...textDraft.lost] };
  }
  const reader = new HtmlReader();
  for (const { line, text } of comments) reader.draft.lose(losses.comment, line, text);
  const tree = yield* parsingHtml(html);
  yield* reader.read(tree);
  return reader.draft;
}

/** Reads markup without yielding, as `readingHtml` does in slices. */
export const readHtml = (text: string): Draft => finish(readingHtml(text));
