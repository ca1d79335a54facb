import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { addIssueKey } from '../../src/text/edits.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import { runs } from '../run/seed.ts';
import { anyText, markedText, statuses } from './arbitrary.ts';

const read = (text: string) => readChecklist(text, statuses);

function withKey(text: string, index = 0, key = 'WEB-12'): string {
  const checklist = read(text);
  return applyChanges(text, addIssueKey(checklist, targetOf(checklist, index), key));
}

test.each([
  ['- a', '- a WEB-12'],
  ['a', 'a WEB-12'],
  ['+ ! a [~accountid:x] 2026-12-01\n> why', '+ ! a WEB-12 [~accountid:x] 2026-12-01\n> why'],
  ['- [~accountid:x]', '- WEB-12 [~accountid:x]'],
  ['-', '- WEB-12'],
  ['- [ON HOLD] a 2026-12-01', '- [ON HOLD] a WEB-12 2026-12-01'],
  ['- fix WEB-12 at last', '- fix WEB-12 at last'],
  ['- https://x.example/browse/A', '- https://x.example/browse/A WEB-12'],
])('%s', (text, expected) => {
  expect(withKey(text)).toBe(expected);
});

test('a header bears none', () => {
  expect(() => withKey('# a')).toThrow('A header has no status');
});

test('any item then names the issue; status, person and day stay, as do all other rows', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, markedText), fc.nat(), (text, at) => {
      const before = read(text);
      const items = before.rows.flatMap((row, index) => (row.kind === 'checkbox' ? index : []));
      const index = items[at % items.length];
      if (index === undefined) return;
      const after = read(withKey(text, index));
      expect(after.rows).toHaveLength(before.rows.length);
      const [was, is] = [before.rows[index], after.rows[index]];
      expect(is?.issueKeys).toContain('WEB-12');
      if (was?.kind !== 'checkbox' || is?.kind !== 'checkbox') throw new Error('It is an item.');
      const kept = ({ status, mandatory, assignee, dueDate, details }: typeof was) => ({
        status: status.slug,
        mandatory,
        assignee,
        dueDate,
        details: details.map(detail => detail.text),
      });
      expect(kept(is)).toEqual(kept(was));
      after.rows.forEach((row, i) => {
        if (i !== index) expect(row.text).toBe(before.rows[i]?.text);
      });
      expect(withKey(after.text, index)).toBe(after.text);
    }),
    runs(300),
  );
});
