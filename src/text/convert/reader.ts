import type { Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { readingCsv } from './csv.ts';
import { readingDirectives } from './directives.ts';
import { readingHtml } from './html.ts';
import { readingIssueChecklist } from './issue-checklist.ts';
import { readingJson } from './json.ts';
import { readingMarkdown } from './markdown/markdown.ts';
import { readingOrg } from './org.ts';
import { readingTaskpaper } from './taskpaper.ts';
import { readingText, withBulletSquares } from './text.ts';
import { readingTodoTxt } from './todo-txt.ts';
import { readingWiki } from './wiki.ts';

/** The notations that can be turned into checklist text. `csv` stands for tabs and semicolons between cells too. */
export const notations = [
  'github',
  'issue-checklist',
  'wiki',
  'org',
  'taskpaper',
  'todo-txt',
  'directives',
  'html',
  'csv',
  'json',
  'text',
] as const;

export type Notation = (typeof notations)[number];

/**
 * Turns a text of one notation into rows and details, and names the parts that they cannot hold. Reads any text; never
 * throws.
 */
export interface Reader {
  /** The notation's name on screens. */
  title: string;
  read: (text: string) => Sliced<Draft>;
}

export const readers: Readonly<Record<Notation, Reader>> = {
  github: { title: 'Markdown', read: readingMarkdown },
  'issue-checklist': { title: 'Issue Checklist', read: readingIssueChecklist },
  wiki: { title: 'Wiki', read: readingWiki },
  org: { title: 'Org', read: readingOrg },
  taskpaper: { title: 'TaskPaper', read: readingTaskpaper },
  'todo-txt': { title: 'todo.txt', read: readingTodoTxt },
  directives: { title: 'Checklist block', read: readingDirectives },
  html: { title: 'HTML', read: readingHtml },
  csv: { title: 'Table', read: readingCsv },
  json: { title: 'JSON', read: readingJson },
  text: { title: 'Text', read: readingText },
};

/** Notations in which a black square at a line's start is part of a value. */
const structured: readonly Notation[] = ['csv', 'json'];

/** Reads a text in a notation. In all other notations, a black square before a line is a bullet. */
export const readingAs = (notation: Notation, text: string): Sliced<Draft> =>
  readers[notation].read(structured.includes(notation) ? text : withBulletSquares(text));
