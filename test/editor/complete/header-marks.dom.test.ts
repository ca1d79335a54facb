import { expect, test, vi } from 'vitest';
import { gateNames, headerMarks } from '../../../src/editor/complete/header-marks.ts';
import { chosen, fakeProvider, labels, offered, readOnly, refusals } from './offers.ts';

const names = ['To Do', 'In Review', 'Ready for release', 'Done'];
const known = (given: readonly string[] | null | undefined = names) => {
  const asked = vi.fn(() => given);
  return { asked, provider: fakeProvider({ gateNames: asked }) };
};

test('marks come after an exclamation mark in a header', async () => {
  expect(labels(await offered(headerMarks, '# A !|'))).toEqual(['Gate before a status', 'Visible to customers']);
  expect(labels(await offered(headerMarks, '## A !cu|'))).toEqual(['Visible to customers']);
  expect(await chosen(headerMarks, '# A !|', 'Gate before a status')).toBe('# A !before:|');
  expect(await chosen(headerMarks, '# !b|', 'Gate before a status')).toBe('# !before:|');
  expect(await chosen(headerMarks, '# A !cu| !before:Done', 'Visible to customers')).toBe(
    '# A !customers| !before:Done',
  );
});

test.each([
  ...refusals('!').map(text => text.replace(/^- /, '# ')),
  '- !|',
  '- a !|',
  '#!|',
  '# A!|',
  '# a\n> !|',
  '# A !x|',
])('no mark is offered in %j', async text => expect(await offered(headerMarks, text)).toBeNull());

test('statuses of the project come after a gate', async () => {
  const { provider } = known();
  expect(labels(await offered(gateNames, '# A !before:|', { provider }))).toEqual(names);
  expect(labels(await offered(gateNames, '# A !before:re|', { provider }))).toEqual(['In Review', 'Ready for release']);
  expect(labels(await offered(gateNames, '# A !before:[ready f|', { provider }))).toEqual(['Ready for release']);
  expect(await chosen(gateNames, '# A !before:d|', 'Done', { provider })).toBe('# A !before:Done |');
  expect(await chosen(gateNames, '# A !before:re| !customers', 'In Review', { provider })).toBe(
    '# A !before:[In Review]| !customers',
  );
  expect(await chosen(gateNames, '# A !before:[re|] !customers', 'In Review', { provider })).toBe(
    '# A !before:[In Review]| !customers',
  );
});

test.each(['- A !before:|', '# A !before:|x', '# `!before:|`', '# A x!before:|', '# A\n> !before:|'])(
  'no status is looked for in %j',
  async text => {
    const { asked, provider } = known();
    expect(await offered(gateNames, text, { provider })).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  },
);

test('names that come late are offered, names that cannot be read or held are not', async () => {
  let given: readonly string[] | undefined;
  const listeners = new Set<() => void>();
  const provider = fakeProvider({
    gateNames: () => given,
    subscribe: listener => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const pending = offered(gateNames, '# A !before:|', { provider });
  await vi.waitFor(() => expect(listeners.size).toBe(1));
  given = ['Done', 'Odd [name]'];
  for (const listener of listeners) listener();
  expect(labels(await pending)).toEqual(['Done']);
  expect(listeners.size).toBe(0);
  expect(await offered(gateNames, '# A !before:|', { provider: known(null).provider })).toBeNull();
  expect(await offered(gateNames, '# A !before:|')).toBeNull();
});

test('nothing is offered in a text that cannot be edited', async () => {
  const { provider } = known();
  expect(await offered(gateNames, '# A !before:|', { provider, extensions: readOnly })).toBeNull();
  expect(await offered(headerMarks, '# A !|', { extensions: readOnly })).toBeNull();
});
