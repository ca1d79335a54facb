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

interface Name extends Part {
  readonly isTitle: boolean;
}

/** Adds the names and the test titles of a syntax tree. */
function addNames(names: Name[], node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && 'start' in node && typeof node.start === 'number') {
    if (/Identifier$/.test(String(node.type)) && 'name' in node) {
      names.push({ text: String(node.name), start: node.start, isTitle: false });
    }
    if ('callee' in node && isTest(node.callee) && 'arguments' in node && Array.isArray(node.arguments)) {
      const title = node.arguments[0]?.value;
      if (typeof title === 'string') names.push({ text: title, start: node.start, isTitle: true });
    }
  }
  for (const child of Object.values(node)) addNames(names, child);
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
  const names: Name[] = [];
  addNames(names, program);
  return {
    names: names.filter(({ isTitle }) => !isTitle),
    prose: [...comments.map(({ value, start }) => ({ text: value, start })), ...names.filter(({ isTitle }) => isTitle)],
  };
}

type Match = Omit<Finding, 'line'>;

function matches(subject: string, pattern: (word: Word) => RegExp | undefined): Match[] {
  return words.flatMap(word => {
    const found = pattern(word)?.exec(subject)?.[0].trim();
    return found === undefined ? [] : [{ text: found, term: word.term }];
  });
}

/** By name: most names stand in many places. */
const knownNames = new Map<string, Match[]>();

function matchesOfName(name: string): Match[] {
  const found = knownNames.get(name) ?? matches(wordsOf(name), word => word.name);
  knownNames.set(name, found);
  return found;
}

/** The replaced words of a file in its name, its identifiers, its comments and its test titles. */
export function findWords(root: string, path: string): Finding[] {
  const text = readFileSync(join(root, path), 'utf8');
  const { names, prose } = partsOf(path, text);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const at = (start: number, found: readonly Match[]) => found.map(match => ({ line: lineAt(start), ...match }));
  return [
    ...matchesOfName(parse(path).name).map(match => ({ line: 0, ...match })),
    ...names.flatMap(name => at(name.start, matchesOfName(name.text))),
    ...prose.flatMap(({ text: comment, start }) =>
      at(
        start,
        matches(comment.replace(/\s*\n\s*\*?\s*/g, ' '), word => word.comment),
      ),
    ),
  ];
}
