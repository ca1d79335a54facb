import { expect, test } from 'vitest';
import { validateName } from '../../src/domain/fields.ts';
import { starters } from '../../src/domain/templates/starters.ts';
import { diagnose } from '../../src/text/diagnose.ts';
import { progressOf } from '../../src/text/progress.ts';
import { readChecklist } from '../../src/text/read.ts';

/** The Free edition's limit. */
const MAX_ITEMS = 20;

test('there are eight starter templates, each with a name of its own', () => {
  expect(starters).toHaveLength(8);
  expect(new Set(starters.map(({ name }) => name)).size).toBe(8);
});

test.each(starters)(
  '“$name” fits every edition, and has sections, mandatory items and no findings',
  ({ name, text }) => {
    const checklist = readChecklist(text);
    const items = checklist.rows.filter(row => row.kind === 'checkbox');
    expect(validateName(name)).toBeUndefined();
    expect(progressOf(checklist.rows).total).toBeLessThanOrEqual(MAX_ITEMS);
    expect(checklist.rows[0]?.kind).toBe('header');
    expect(items.some(({ mandatory }) => mandatory)).toBe(true);
    expect(items.some(({ mandatory }) => !mandatory)).toBe(true);
    expect(items.every(({ text }) => text.length <= 80)).toBe(true);
    expect(diagnose(checklist)).toEqual([]);
  },
);
