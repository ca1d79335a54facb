import type { Draft, Loss } from './convert/blocks.ts';
import { readCsv } from './convert/csv.ts';
import { detect } from './convert/detect.ts';
import { readGithub } from './convert/github.ts';
import { readHtml } from './convert/html.ts';
import { readIssueChecklist } from './convert/issue-checklist.ts';
import { readOrg } from './convert/org.ts';
import { settle, write } from './convert/settle.ts';
import { readTaskpaper } from './convert/taskpaper.ts';
import { isOurs, readText } from './convert/text.ts';
import { readWiki } from './convert/wiki.ts';
import { cleanText } from './document.ts';

export type { Loss } from './convert/blocks.ts';

/** The notations that can be turned into checklist text. `csv` stands for tabs and semicolons between cells too. */
export const notations = ['github', 'issue-checklist', 'wiki', 'org', 'taskpaper', 'html', 'csv', 'text'] as const;

export type Notation = (typeof notations)[number];

export interface Converted {
  /** Checklist text, without a line break at its end. */
  text: string;
  /** What the input was read as. */
  notation: Notation;
  /** What the checklist cannot hold, in the input's order. */
  lost: Loss[];
}

const readers: Record<Notation, (text: string) => Draft> = {
  github: readGithub,
  'issue-checklist': readIssueChecklist,
  wiki: readWiki,
  org: readOrg,
  taskpaper: readTaskpaper,
  html: readHtml,
  csv: readCsv,
  text: readText,
};

/**
 * Turns text from elsewhere into checklist text. Every word that the input shows is in the text or in `lost`. `auto` tells
 * the notation by what only it has (see `detect`). Text that is a checklist already stays as it is. Never throws.
 */
export function convert(input: string, from: Notation | 'auto'): Converted {
  const { text } = cleanText(input);
  if ((from === 'auto' || from === 'text') && isOurs(text)) return { text: text.trimEnd(), notation: 'text', lost: [] };
  const notation = from === 'auto' ? detect(text) : from;
  const { blocks, lost } = readers[notation](text);
  return { text: write(settle(blocks)), notation, lost };
}
