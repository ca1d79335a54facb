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

/** A line of prose: a detail of the header directly above where that has items below, else an item. */
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

/** Adds what a part of a text was read as. There may be more than fits the arguments of one call. */
export function addDraft(to: Draft, { blocks, lost }: Draft): void {
  for (const block of blocks) to.blocks.push(block);
  for (const loss of lost) to.lost.push(loss);
}
