import { expect, test, vi } from 'vitest';
import { createGateNames } from '../../../src/client/tracker/gate-names.ts';
import { fakeBridge, status } from '../fake-bridge.ts';

const types = [
  {
    id: '1',
    name: 'Task',
    statuses: [
      { id: '1', name: 'To Do' },
      { id: '3', name: 'Done' },
    ],
  },
  {
    id: '2',
    name: 'Bug',
    statuses: [
      { id: '1', name: 'To Do' },
      { id: '4', name: 'done' },
      { id: '9', name: 'Done' },
    ],
  },
];

test("the statuses of the frame's project, each name once, are read once", async () => {
  const bridge = fakeBridge({ tracker: () => types });
  const names = createGateNames(bridge);
  expect(names.get()).toBeUndefined();
  names.request();
  names.request();
  await vi.waitFor(() => expect(names.get()).toEqual(['To Do', 'Done']));
  names.request();
  expect(bridge.calls.map(({ path }) => path)).toEqual(['/rest/api/3/project/ABC/statuses']);
});

test('names that cannot be read are none, and are read again after a pause', async () => {
  let time = 0;
  const bridge = fakeBridge({ tracker: () => status(500, 'Oh.') });
  const names = createGateNames(bridge, () => time);
  names.request();
  await vi.waitFor(() => expect(names.get()).toBeNull());
  names.request();
  expect(bridge.calls).toHaveLength(1);
  time = 60_000;
  bridge.tracker = () => types;
  names.request();
  await vi.waitFor(() => expect(names.get()).toContain('Done'));
});

test('on a page of the whole site the names stay unknown', async () => {
  const bridge = fakeBridge({ tracker: () => types });
  bridge.context = async () => ({ surface: 'page' });
  const names = createGateNames(bridge);
  names.request();
  await Promise.resolve();
  expect(names.get()).toBeUndefined();
  expect(bridge.calls).toEqual([]);
});
