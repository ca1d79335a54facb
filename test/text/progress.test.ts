import fc from 'fast-check';
import { expect, test } from 'vitest';
import { progressOf, sections } from '../../src/text/progress.ts';
import { readChecklist } from '../../src/text/read.ts';
import { markedText, storedText } from './arbitrary.ts';

const nested = fc
  .array(fc.constantFrom('# A', '## B', '### C', '###### D', '- a', '+ b', '- ! c'), { maxLength: 20 })
  .map(lines => lines.join('\n'));

test('a section reaches to the next header of its level or above, and counts what lies between', () => {
  fc.assert(
    fc.property(fc.oneof(nested, markedText, storedText), text => {
      const { rows } = readChecklist(text);
      const found = sections({ rows });
      expect(found.map(({ header }) => header)).toEqual(
        rows.flatMap(({ kind }, index) => (kind === 'header' ? [index] : [])),
      );
      for (const { header, end, progress } of found) {
        const level = (index: number) => {
          const row = rows[index];
          return row?.kind === 'header' ? row.level : Number.POSITIVE_INFINITY;
        };
        for (let index = header + 1; index < end; index++) expect(level(index)).toBeGreaterThan(level(header));
        if (end < rows.length) expect(level(end)).toBeLessThanOrEqual(level(header));
        expect(progress).toEqual(progressOf(rows.slice(header + 1, end)));
      }
    }),
  );
});
