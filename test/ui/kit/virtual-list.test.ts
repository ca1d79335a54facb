import { Virtualizer } from '@tanstack/react-virtual';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesToMount, piecesOf, virtual } from '../../../src/ui/kit/virtual-list.ts';

interface Line {
  height: number;
  stays: boolean;
}

/** The mounted lines of a list scrolled to `top`, in a window of `height` pixels. */
function mounted(lines: readonly Line[], top: number, height: number) {
  const kept = lines.flatMap(({ stays }, index) => (stays ? index : []));
  const list = new Virtualizer<Element, Element>({
    ...virtual,
    count: lines.length,
    getScrollElement: () => null,
    estimateSize: index => lines[index]?.height ?? 0,
    rangeExtractor: range => linesToMount(range, kept),
    initialRect: { width: 0, height },
    initialOffset: top,
    observeElementRect: () => undefined,
    observeElementOffset: () => undefined,
    scrollToFn: () => undefined,
  });
  return piecesOf(list.getVirtualItems(), list.getTotalSize());
}

const line = fc.record({ height: fc.nat(300), stays: fc.boolean() });

test('rendered rows have the offset that they have in the whole list, and visible rows are rendered', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.nat(9_000), fc.nat(2_000), (lines, top, height) => {
      const pieces = mounted(lines, top, height);
      const keys = pieces.map(piece => ('index' in piece ? `line ${piece.index}` : piece.key));
      expect(new Set(keys).size).toBe(keys.length);
      let at = 0;
      const there = new Set<number>();
      for (const piece of pieces) {
        if ('room' in piece) {
          at += piece.room;
          continue;
        }
        expect(at).toBe(lines.slice(0, piece.index).reduce((sum, { height }) => sum + height, 0));
        at += lines[piece.index]?.height ?? 0;
        there.add(piece.index);
      }
      expect(at).toBe(lines.reduce((sum, { height }) => sum + height, 0));
      let from = 0;
      for (const [index, { height: own, stays }] of lines.entries()) {
        if (stays || (from < top + height && from + own > top)) expect(there.has(index)).toBe(true);
        from += own;
      }
    }),
  );
});
