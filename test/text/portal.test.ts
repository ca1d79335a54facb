import fc from 'fast-check';
import { expect, test } from 'vitest';
import { customersText } from '../../src/text/header/portal.ts';
import { readChecklist } from '../../src/text/read.ts';
import { runs } from '../run/seed.ts';
import { statuses, storedText } from './arbitrary.ts';

const shown = (text: string) => customersText(readChecklist(text, statuses));

test.each([
  ['# A\n- a\n# B !customers\n- b\n+ c\n# C\n- d', '# B\n- b\n+ c'],
  ['# A\n- a', ''],
  ['', ''],
  ['- !customers', ''],
  ['# A !customers !before:Done\n## Part\n- a\n## Other !customers\n- b\n# C\n- c', '# A\n## Part\n- a\n## Other\n- b'],
  ['# A\n- a\n## B !customers\n- b\n## C\n- c', '## B\n- b'],
  [
    '# A !customers\n> note\n- ! [ON HOLD] b 2026-12-01\n> why\n\n- c',
    '# A\n> note\n- ! [ON HOLD] b 2026-12-01\n> why\n- c',
  ],
])('of %j customers see %j', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('no person is named', () => {
  const text = [
    '# Ask [~accountid:a1] !customers',
    '- Pack it [~accountid:a1] 2026-12-01',
    '- Approved by [~accountid:a1] and @bob',
    '- **[~accountid:a1]** signs',
    '> [~accountid:a1] knows',
    '- `[~accountid:a1]` and [the [~accountid:a1] page](https://a.b)',
    '- [~accountid:a1]',
  ].join('\n');
  expect(shown(text)).not.toMatch(/a1|bob/);
  expect(
    readChecklist(shown(text))
      .rows.slice(0, 3)
      .map(({ text }) => text),
  ).toEqual(['Ask', 'Pack it 2026-12-01', 'Approved by and']);
});

test('of any text, customers see rows of marked sections only, with their statuses, and no person', () => {
  fc.assert(
    fc.property(storedText, storedText, (before, inside) => {
      const text = `# Hidden\n${before}\n# Shown !customers\n${inside}\n# End\n- hidden`;
      const checklist = readChecklist(text, statuses);
      const visible = customersText(checklist);
      expect(visible).not.toContain('accountid:a:1');
      expect(visible).not.toContain('hidden');
      const rows = readChecklist(visible, statuses).rows;
      const items = (all: typeof rows) => all.filter(row => row.kind === 'checkbox').length;
      expect(items(rows)).toBeLessThanOrEqual(items(checklist.rows));
      expect(rows.every(row => row.mentions.length === 0)).toBe(true);
    }),
    runs(2000),
  );
});
