import { replaceText } from '../text/document.ts';
import type { TextChange } from '../text/types.ts';

/** Above this many cells of the line table, the lines that differ are replaced as one block. */
const CELLS = 4_000_000;

/**
 * The changes that turn one text into another, line by line and within a line only what differs, so that a cursor or
 * a selection elsewhere stays where it was. Sorted, not overlapping, offsets into `before`.
 */
export function changesBetween(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const a = lines(before);
  const b = lines(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const changes: TextChange[] = [];
  let position = a.slice(0, start).join('').length;
  for (const block of blocks(a.slice(start, endA), b.slice(start, endB))) {
    if (block.kept !== undefined) {
      position += block.kept.length;
      continue;
    }
    // Equally many lines on both sides are most likely the same lines, reworded.
    const pairs: [string, string][] =
      block.removed.length === block.added.length
        ? block.removed.map((line, index) => [line, block.added[index] ?? ''])
        : [[block.removed.join(''), block.added.join('')]];
    for (const [removed, added] of pairs) {
      changes.push(...replaceText(removed, added, position));
      position += removed.length;
    }
  }
  return changes;
}

/** Lines with their breaks, so that joining them gives the text back. */
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

type Block = { kept: string } | { kept?: undefined; removed: string[]; added: string[] };

/** Lines of both sides in order: equal ones by a longest common subsequence, the rest in blocks between them. */
function* blocks(a: readonly string[], b: readonly string[]): Generator<Block> {
  const width = b.length + 1;
  if ((a.length + 1) * width > CELLS) {
    yield { removed: [...a], added: [...b] };
    return;
  }
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let removed: string[] = [];
  let added: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      if (removed.length || added.length) yield { removed, added };
      removed = [];
      added = [];
      yield { kept: left };
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      removed.push(left);
      i++;
    } else if (right !== undefined) {
      added.push(right);
      j++;
    }
  }
  if (removed.length || added.length) yield { removed, added };
}
