import { expect, test, vi } from 'vitest';
import { flagProvider, flags } from '../../../src/tracker/page/bridge/flags.ts';

const options = { id: 'one', title: 'Saved', type: 'success', close: 'auto', actions: [] };

test('a flag stays until it is closed, and says so once', () => {
  const onClose = vi.fn();
  const handle = flagProvider.create({ ...options, onClose });
  expect(flags.get()).toMatchObject([{ id: 'one', title: 'Saved', body: '', kind: 'success', fleeting: true }]);
  flags.get()[0]?.close();
  handle.close();
  expect(flags.get()).toEqual([]);
  expect(onClose.mock.calls).toEqual([['one']]);
});

test('flags stand in their order; one of an unknown type is an information', () => {
  const onClose = () => undefined;
  const handles = ['one', 'two'].map(id => flagProvider.create({ ...options, id, type: 'odd', onClose }));
  expect(flags.get().map(({ id, kind }) => [id, kind])).toEqual([
    ['one', 'info'],
    ['two', 'info'],
  ]);
  for (const handle of handles) handle.close();
});
