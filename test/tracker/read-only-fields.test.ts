import { afterEach, beforeEach, expect, test } from 'vitest';
import { edition } from '../../src/domain/edition.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { progressFields } from '../../src/platform/product.ts';
import { manifestText } from '../../src/platform/text.ts';
import { evaluate } from '../../src/tracker/expressions/evaluate.ts';
import { manifestOf } from '../../src/tracker/forge/manifest.ts';
import { ADDON_KEY } from './addon.ts';
import { type Ask, startTracker, type TestTracker } from './harness.ts';

let site: TestTracker;
let editor: Ask;
beforeEach(async () => {
  site = await startTracker();
  editor = site.as('editor');
});
afterEach(() => site.close());

const put = (value: unknown, key = `${ADDON_KEY}.checklist`) =>
  editor('PUT', `/rest/api/3/issue/WEB-1/properties/${key}`, { json: value });
const filled = { progress: { total: 7, checked: 3, percent: 42, mandatoryOpen: 0 }, label: '3/7' };

/** Values of the app's fields by name. */
async function values() {
  const { body } = await editor('GET', '/rest/api/2/issue/WEB-1?expand=names');
  const { names, fields } = body as { names: Record<string, string>; fields: Record<string, unknown> };
  const of = (name: string) => fields[Object.keys(names).find(id => names[id] === name) ?? ''];
  return progressFields.map(({ name }) => of(name));
}

test('the fields show values of the issue property, and cannot be set', async () => {
  expect(await values()).toEqual([null, null, null]);
  await put(filled);
  expect(await values()).toEqual([42, 0, '3/7']);
  const { body } = await editor('GET', '/rest/api/3/field');
  const fields = body as { id: string; name: string; schema: { type: string } }[];
  const progress = fields.find(({ name }) => name === 'Checklist progress');
  expect(progress?.schema.type).toBe('number');
  expect(
    (await editor('PUT', '/rest/api/3/issue/WEB-1', { json: { fields: { [progress?.id ?? '']: 1 } } })).status,
  ).toBe(400);
});

test.each([['text'], [{ progress: 'none', label: 3 }], [{ progress: { percent: '42' } }], [[1]], [null]])(
  "another app's value shows nothing: %j",
  async value => {
    await put(value);
    expect(await values()).toEqual([null, null, null]);
  },
);

test.each([
  [filled, ['42', '0', '3/7']],
  [undefined, ['', '', '']],
  ['text', ['', '', '']],
  [{ progress: [1] }, ['', '', '']],
])('the formatters of a new Forge app make text of the same values: %j', (value, shown) => {
  const names = { names: edition, past: 'none', appId: 'a', remote: 'https://r.example' } as const;
  const { modules } = manifestOf(manifestText({ ...names, pages: '.', licensed: false }), {});
  const properties = value === undefined ? {} : { [storageKey('checklist')]: value };
  const context = { variables: { issue: { properties }, value: null }, now: 0, zone: 'UTC' };
  expect(modules['jira:customField'].map(({ readOnly }) => readOnly)).toEqual([true, true, true]);
  expect(modules['jira:customField'].map(({ view }) => evaluate(view.formatter?.expression ?? '', context))).toEqual(
    shown,
  );
});
