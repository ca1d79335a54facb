import type { Sliced } from '../sliced.ts';
import type { Draft } from './blocks.ts';
import { readCsv } from './csv.ts';
import { readDirectives } from './directives.ts';
import { readingHtml } from './html.ts';
import { readIssueChecklist } from './issue-checklist.ts';
import { readJson } from './json.ts';
import { readMarkdown } from './markdown.ts';
import { readOrg } from './org.ts';
import { readTaskpaper } from './taskpaper.ts';
import { readText } from './text.ts';
import { readTodoTxt } from './todo-txt.ts';
import { readWiki } from './wiki.ts';

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

/** Turns a text of one notation into rows and details, and names what they cannot hold. Reads any text; never throws. */
export interface Reader {
  /** The notation's name on screens. */
  title: string;
  read: (text: string) => Draft | Sliced<Draft>;
}

export const readers: Readonly<Record<Notation, Reader>> = {
  github: { title: 'Markdown', read: readMarkdown },
  'issue-checklist': { title: 'Issue Checklist', read: readIssueChecklist },
  wiki: { title: 'Wiki', read: readWiki },
  org: { title: 'Org', read: readOrg },
  taskpaper: { title: 'TaskPaper', read: readTaskpaper },
  'todo-txt': { title: 'todo.txt', read: readTodoTxt },
  directives: { title: 'Checklist block', read: readDirectives },
  html: { title: 'HTML', read: readingHtml },
  csv: { title: 'Table', read: readCsv },
  json: { title: 'JSON', read: readJson },
  text: { title: 'Text', read: readText },
};
