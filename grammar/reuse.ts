import { type Input, TreeFragment } from '@lezer/common';
import type { LRParser } from '@lezer/lr';

/*
 * The meaning of a character depends on its whole line: a later delimiter may decide whether emphasis opens here. So
 * nodes of a changed line are not reused. A row's last line depends on whether the next one is a detail, so a row that
 * ends just above a change is not reused either.
 */

const BLOCK = 256;

/** The start of the line that `position` stands in. */
function lineStart(input: Input, position: number): number {
  for (let end = position; end > 0; end -= BLOCK) {
    const from = Math.max(0, end - BLOCK);
    const block = input.read(from, end);
    const found = Math.max(block.lastIndexOf('\n'), block.lastIndexOf('\r'));
    if (found >= 0) return from + found + 1;
  }
  return 0;
}

/** The start of the first line after a break that begins at or after `position`; the text's end if there is none. */
function nextLine(input: Input, position: number): number {
  for (let from = position; from < input.length; from += BLOCK) {
    // One more, for a LF behind a CR.
    const block = input.read(from, Math.min(input.length, from + BLOCK + 1));
    const found = /\r\n?|\n/.exec(block);
    if (found && found.index < BLOCK) return from + found.index + found[0].length;
  }
  return input.length;
}

/** The part of a fragment that covers unchanged whole lines. */
function wholeLines(input: Input, { from, to, tree, offset, openStart, openEnd }: TreeFragment): TreeFragment[] {
  const start = openStart ? nextLine(input, from) : from;
  const end = openEnd ? lineStart(input, to) - 1 : to;
  return start < end ? [new TreeFragment(start, end, tree, offset)] : [];
}

/**
 * The same parser, restricted to reusing whole lines of earlier trees. Configure it first: later configuration does not
 * apply to reused lines.
 */
export const reusingLines = (parser: LRParser): LRParser =>
  parser.configure({
    wrap: (parse, input, fragments, ranges) =>
      fragments.length === 0
        ? parse
        : parser.createParse(
            input,
            fragments.flatMap(fragment => wholeLines(input, fragment)),
            ranges,
          ),
  });
