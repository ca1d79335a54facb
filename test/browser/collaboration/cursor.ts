import type { EditorText } from './user-window.ts';
import type { Words } from './words.ts';

/** Where a cursor stands in a row, in a way that survives what other users change around it. */
export interface Cursor {
  /** The characters up to the nearest blanks before and behind the cursor, within the row's words. */
  readonly left: string;
  readonly right: string;
  /** The nearest words before and behind it. */
  readonly neighbours: readonly string[];
  /** All words of the row. */
  readonly words: readonly string[];
  readonly isMarked: boolean;
}

const markLength = (line: string) => /^\s*(?:[-+~x*]|#{1,6}|\[[^\]]*\])\s+/.exec(line)?.[0].length ?? 0;

/** The line at an offset, and the offset within it. */
export function lineAt(text: string, offset: number): { line: string; at: number; index: number } {
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const to = text.indexOf('\n', offset);
  const line = text.slice(from, to < 0 ? undefined : to);
  return { line, at: offset - from, index: text.slice(0, from).split('\n').length - 1 };
}

/** How many characters the cursor is in front of its row's words. */
export function beforeWords({ text, head }: EditorText): number {
  const { line, at } = lineAt(text, head);
  return Math.max(0, markLength(line) - at);
}

export function cursorOf({ text, head }: EditorText, words: Words): Cursor {
  const { line, at } = lineAt(text, head);
  const mark = markLength(line);
  const own = words.in(line);
  const before = words.in(line.slice(0, at));
  const behind = words.in(line.slice(at));
  return {
    left: /\S*\s*$/.exec(line.slice(mark, Math.max(mark, at)))?.[0] ?? '',
    right: /^\s*\S*/.exec(line.slice(at))?.[0] ?? '',
    neighbours: [...before.slice(-1), ...behind.slice(0, 1)],
    words: own,
    isMarked: mark > 0,
  };
}

/** What is wrong with the place `from` to `to` for a cursor that was left elsewhere in the same row, if anything. */
export function misplaced(cursor: Cursor, text: string, from: number, to: number, words: Words): string | undefined {
  const { line, at } = lineAt(text, from);
  const [before, behind] = [line.slice(0, at), line.slice(at + to - from)];
  const others = words.in(`${before} ${behind}`);
  const left = new Set(words.in(text));
  const remaining = cursor.words.filter(word => left.has(word));
  if (cursor.words.length === 0) return undefined;
  // Where the row was deleted, the cursor is at another one until something is typed: that is a row of its own. A part of
  // the row that was split off may be left.
  const isDeleted = !cursor.neighbours.some(word => left.has(word)) && 2 * remaining.length < cursor.words.length;
  if (remaining.length === 0 || isDeleted)
    return to > from && others.length > 0 ? 'in another row, after its own was deleted' : undefined;
  const mark = markLength(line);
  // The row may have been deleted before the cursor's place was noted: the noted one is that of the row below or above.
  if (to > from && others.length === 0 && mark > 0) return undefined;
  if (!others.some(word => remaining.includes(word))) return 'in another row';
  if (cursor.isMarked && at < mark) return "in front of its row's mark";
  const isBehind =
    cursor.left.trim() === '' ? before.slice(mark).trim() === '' : before.trimEnd().endsWith(cursor.left.trim());
  const isBefore =
    cursor.right.trim() === '' ? behind.trim() === '' : behind.trimStart().startsWith(cursor.right.trim());
  if (isBehind || isBefore || !cursor.neighbours.some(word => others.includes(word))) return undefined;
  return 'at another place of its row';
}
