import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';

/** Content that could not be kept: a description, its line (from 1) and its text. */
export interface Loss {
  what: string;
  line: number;
  text: string;
}

export interface HeaderBlock {
  kind: 'header';
  level: number;
  text: string;
}

export interface ItemBlock {
  kind: 'item';
  status: BuiltInSlug;
  mandatory: boolean;
  text: string;
}

export interface DetailBlock {
  kind: 'detail';
  text: string;
}

/** A line of prose: a detail of the header directly above if that header has items below, else an item. */
export interface ParagraphBlock {
  kind: 'paragraph';
  text: string;
}

/** A row or detail of a foreign notation, in text order. Its text is one line in the app's inline markup. */
export type Block = HeaderBlock | ItemBlock | DetailBlock | ParagraphBlock;

/** The result of a notation's reader. */
export interface Draft {
  blocks: Block[];
  lost: Loss[];
}

export const item = (text: string, status: BuiltInSlug = 'todo', mandatory = false): ItemBlock => ({
  kind: 'item',
  status,
  mandatory,
  text,
});

export const header = (text: string, level: number): HeaderBlock => ({
  kind: 'header',
  level: Math.min(Math.max(level, 1), 6),
  text,
});

export const detail = (text: string): DetailBlock => ({ kind: 'detail', text });

export const paragraph = (text: string): ParagraphBlock => ({ kind: 'paragraph', text });

/** The draft that a reader writes. */
export class DraftBuilder implements Draft {
  readonly blocks: Block[] = [];
  readonly lost: Loss[] = [];
  private isNestingReported: boolean = false;

  /** The kind of the block above. */
  get above(): Block['kind'] | undefined {
    return this.blocks.at(-1)?.kind;
  }

  add(block: Block): void {
    this.blocks.push(block);
  }

  /** Reports a lost text, unless it is empty. */
  lose(what: string, line: number, text: string): void {
    if (text !== '') this.lost.push({ what, line, text });
  }

  /** Reports the first list in a list. */
  nest(line: number, text: string): void {
    if (!this.isNestingReported) this.lose(losses.nesting, line, text);
    this.isNestingReported = true;
  }

  /** Adds what a part of the text was read as; `firstLine` is that part's. There may be more than fits the arguments of a call. */
  append({ blocks, lost }: Draft, firstLine = 1): void {
    for (const block of blocks) this.blocks.push(block);
    for (const loss of lost) this.lost.push(firstLine === 1 ? loss : { ...loss, line: loss.line + firstLine - 1 });
  }
}
