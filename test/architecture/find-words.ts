import { readFileSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { parseSync } from 'vite';
import { type Word, words } from './words.ts';

/** A replaced word in a file: the line (from 1; 0 is the file's name), the text found and the term to use. */
export interface Finding {
  readonly line: number;
  readonly text: string;
  readonly term: string;
}

/** A name or comment with its offset. */
interface Part {
  readonly text: string;
  readonly start: number;
}

/** A name as lower-case words between spaces: ` save all ` for `saveAll`, `SAVE_ALL` and `save-all`. */
const wordsOf = (name: string): string =>
  ` ${name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()} `;

/** Whether a callee is `test`, `test.each(…)` or the like. */
function isTest(callee: unknown): boolean {
  if (typeof callee !== 'object' || callee === null) return false;
  if ('name' in callee) return /^(test|it|describe)$/.test(String(callee.name));
  if ('object' in callee) return isTest(callee.object);
  return 'callee' in callee && isTest(callee.callee);
}

/** The names and the test titles of a syntax tree. */
function* namesIn(node: unknown): Generator<Part & { readonly isTitle: boolean }> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && 'start' in node && typeof node.start === 'number') {
    if (/Identifier$/.test(String(node.type)) && 'name' in node) {
      yield { text: String(node.name), start: node.start, isTitle: false };
    }
    if ('callee' in node && isTest(node.callee) && 'arguments' in node && Array.isArray(node.arguments)) {
      const title = node.arguments[0]?.value;
      if (typeof title === 'string') yield { text: title, start: node.start, isTitle: true };
    }
  }
  for (const child of Object.values(node)) yield* namesIn(child);
}

/** As long as the text, with its lines. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Names, and prose (comments and test titles), of a file. Texts of the product are neither. */
function partsOf(path: string, text: string): { names: Part[]; prose: Part[] } {
  if (extname(path) === '.md') {
    // Code in a text has names of its own.
    const paragraphs = [...text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank).matchAll(/(?:.*\S.*\n?)+/g)];
    return { names: [], prose: paragraphs.map(({ 0: prose, index }) => ({ text: prose, start: index })) };
  }
  if (/^\.(css|grammar)$/.test(extname(path))) {
    const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)];
    return { names: [], prose: comments.map(({ 0: comment, index }) => ({ text: comment, start: index })) };
  }
  if (!/^\.(tsx?|mjs)$/.test(extname(path))) return { names: [], prose: [] };
  const { program, comments } = parseSync(path, text);
  const names = [...namesIn(program)];
  return {
    names: names.filter(({ isTitle }) => !isTitle),
    prose: [...comments.map(({ value, start }) => ({ text: value, start })), ...names.filter(({ isTitle }) => isTitle)],
  };
}

/** The replaced words of a file in its name, its identifiers, its comments and its test titles. */
export function findWords(root: string, path: string): Finding[] {
  const text = readFileSync(join(root, path), 'utf8');
  const { names, prose } = partsOf(path, text);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const match = (subject: string, pattern: (word: Word) => RegExp | undefined, line: () => number) =>
    words.flatMap(word => {
      const found = pattern(word)?.exec(subject)?.[0].trim();
      return found === undefined ? [] : [{ line: line(), text: found, term: word.term }];
    });
  return [
    ...match(
      wordsOf(parse(path).name),
      word => word.name,
      () => 0,
    ),
    ...names.flatMap(name =>
      match(
        wordsOf(name.text),
        word => word.name,
        () => lineAt(name.start),
      ),
    ),
    ...prose.flatMap(({ text: comment, start }) =>
      match(
        comment.replace(/\s*\n\s*\*?\s*/g, ' '),
        word => word.comment,
        () => lineAt(start),
      ),
    ),
  ];
}
