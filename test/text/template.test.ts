import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../src/text/document.ts';
import { applyTemplate } from '../../src/text/edits.ts';
import { readChecklist } from '../../src/text/read.ts';
import { targetOf } from '../../src/text/rows.ts';
import { storedText } from './arbitrary.ts';

const TEXT = '# One\n- a\n\n# Two\n- b\n';

function applied(text: string, template: string, replace: boolean, header?: number): string {
  const checklist = readChecklist(text);
  const place = { replace, ...(header !== undefined && { header: targetOf(checklist, header) }) };
  return applyChanges(text, applyTemplate(checklist, template, place));
}

describe('a template', () => {
  test.each([
    ['at the end', false, undefined, '# One\n- a\n\n# Two\n- b\n- t\n'],
    ['in place of everything', true, undefined, '- t'],
    ['at the end of a section', false, 0, '# One\n- a\n- t\n\n# Two\n- b\n'],
    ['in place of what a section has', true, 0, '# One\n- t\n\n# Two\n- b\n'],
    ['in the last section', true, 2, '# One\n- a\n\n# Two\n- t\n'],
  ] as const)('%s', (_where, replace, header, expected) => {
    expect(applied(TEXT, '- t', replace, header)).toBe(expected);
  });

  test('in an empty checklist, and in a section without rows', () => {
    expect(applied('', '- t\n', false)).toBe('- t');
    expect(applied('# One\n# Two', '- t', true, 0)).toBe('# One\n- t\n# Two');
  });

  test('goes under a header only', () => {
    expect(() => applied(TEXT, '- t', false, 1)).toThrow('Only a header has a section.');
  });
});

const rowsOf = (text: string) => readChecklist(text).rows.map(({ kind, text: said }) => ({ kind, said }));
const template = fc.constantFrom('- t', '# T\n- t\n> d', '> t', '- t\n\n- u\n\n');

test('added at the end, it leaves every row as it was', () => {
  fc.assert(
    fc.property(storedText, template, (text, added) => {
      const before = rowsOf(text);
      expect(rowsOf(applied(text, added, false)).slice(0, before.length)).toEqual(before);
    }),
  );
});

test('in a section, it leaves the rows of all others as they were', () => {
  fc.assert(
    fc.property(storedText, template, fc.boolean(), (text, added, replace) => {
      const whole = `- first\n\n# Here\n${text}\n# Last\n- last`;
      const header = readChecklist(whole).rows.findIndex(row => row.text === 'Here');
      if (rowsOf(text).some(({ kind }) => kind === 'header')) return;
      const after = rowsOf(applied(whole, added, replace, header));
      expect(after.slice(0, 2)).toEqual([
        { kind: 'checkbox', said: 'first' },
        { kind: 'header', said: 'Here' },
      ]);
      expect(after.slice(-2)).toEqual([
        { kind: 'header', said: 'Last' },
        { kind: 'checkbox', said: 'last' },
      ]);
    }),
  );
});
