import type { TextChange } from '../types.ts';

const isBlank = (character: string | undefined) => character === ' ' || character === '\t' || character === '\xa0';

interface Span {
  from: number;
  to: number;
}

/**
 * The changes that take words out of a line, which has no blanks at its ends. Of the blanks around a word one side goes,
 * at the line's ends both. Words, or signs of emphasis and code, that would run together get a blank. `words` are in
 * order and do not overlap.
 */
export function removeWords(line: string, words: readonly Span[]): TextChange[] {
  const spans: Span[] = [];
  for (const { from, to } of words) {
    let span = spans.at(-1);
    if (span?.to === from) span.to = to;
    else {
      span = { from, to };
      spans.push(span);
    }
    if (to === line.length) while (isBlank(line[span.from - 1])) span.from--;
    else if (span.from === 0 || isBlank(line[span.from - 1])) while (isBlank(line[span.to])) span.to++;
  }
  return spans.map(({ from, to }) => {
    // The characters beside it only: a line has as many words as it has room for. Two units may be one character.
    const [before, after] = [line.slice(Math.max(0, from - 2), from), line.slice(to, to + 2)];
    const sign = /[`*~]$/.exec(before)?.[0];
    const joins =
      (/[^ \t\xa0]$/.test(before) && /^[\p{L}\p{N}_@]/u.test(after)) || (sign !== undefined && after.startsWith(sign));
    return joins ? { from, to, insert: ' ' } : { from, to };
  });
}
