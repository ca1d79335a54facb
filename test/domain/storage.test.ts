import { expect, test } from 'vitest';
import { editionOf } from '../../src/domain/edition.ts';
import { isChecklistField, isYes, packRowIds, parseChecklistProperty, storageKey } from '../../src/domain/storage.ts';

test('keys start with the app’s key, and that of a development build has its suffix', () => {
  const settings = { version: '1.0.0', platform: 'cloud', limits: {} } as const;
  const free = editionOf({ ...settings, edition: 'free', development: true });
  const pro = editionOf({ ...settings, edition: 'pro', development: false });
  expect(free.key).toMatch(/\.free_development$/);
  expect(pro.key).not.toContain('_development');
  expect(storageKey('hide-notice', pro.key)).toBe(`${pro.key}.hide-notice`);
});

test('limits of the Free edition are the specified ones unless overridden by the build', () => {
  const settings = { edition: 'free', version: '1.0.0', platform: 'cloud', development: false } as const;
  expect(editionOf({ ...settings, limits: {} }).limits).toEqual({
    globalTemplates: 5,
    projectTemplates: 5,
    itemsPerChecklist: 20,
  });
  expect(editionOf({ ...settings, limits: { itemsPerChecklist: 3 } }).limits.itemsPerChecklist).toBe(3);
});

test('a property is parsed by its shape', () => {
  const ours = { v: 1, epoch: 'e', seq: 3, name: 'Checklists', text: '- a', progress: {} };
  expect(parseChecklistProperty(ours)).toEqual({ kind: 'ours', epoch: 'e', seq: 3, name: 'Checklists', text: '- a' });
  const rows = packRowIds('- a', ['BUWq1W2i']);
  expect(parseChecklistProperty({ ...ours, rows })).toMatchObject({ rows: ['BUWq1W2i'] });
  // Another app has changed the text alone.
  expect(parseChecklistProperty({ ...ours, text: '- b', rows })).toMatchObject({ text: '- b', rows: undefined });
  expect(packRowIds('- a\n- b', ['BUWq1W2i', ''])).toBeUndefined();
  expect(parseChecklistProperty('- a')).toEqual({ kind: 'text', text: '- a' });
  expect(parseChecklistProperty(undefined)).toEqual({ kind: 'absent' });
  for (const foreign of [[], 7, true, {}, { ...ours, text: 5 }, { ...ours, v: 2 }]) {
    expect(parseChecklistProperty(foreign)).toEqual({ kind: 'foreign' });
  }
});

test('checklist fields are recognised by name', () => {
  for (const name of ['Checklist Text', 'Checklists', 'Checklists (migrated)', 'Checklists (migrated 2)']) {
    expect(isChecklistField(name)).toBe(true);
  }
  for (const name of ['checklist text', 'Checklists (migrated x)', 'My Checklists', '']) {
    expect(isChecklistField(name)).toBe(false);
  }
});

test("only the string 'true' is yes", () => {
  expect(['true', true, 'yes', '', undefined].map(isYes)).toEqual([true, false, false, false, false]);
});
