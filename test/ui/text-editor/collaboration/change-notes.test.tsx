import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import {
  RemoteChange,
  type RemoteChangeInfo,
  useChangeNotes,
} from '../../../../src/ui/text-editor/collaboration/collaborators.tsx';
import { fakeIssue, show } from '../../issue.tsx';

afterEach(() => vi.useRealTimers());

const ordinary: RemoteChangeInfo = { rows: 1, isCursorRowDeleted: false, kept: [], returned: [], by: [] };
const deleted: RemoteChangeInfo = { ...ordinary, isCursorRowDeleted: true };

/** The notes of an editor. */
async function open() {
  let notes: ReturnType<typeof useChangeNotes> | undefined;
  function Notes() {
    const used = useChangeNotes();
    notes = used;
    return <RemoteChange shown={used.shown} onDismiss={used.dismiss} />;
  }
  await show(fakeIssue('- a'), <Notes />);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return {
    add: (note: RemoteChangeInfo) => act(async () => notes?.add(note)),
    type: () => act(async () => notes?.onTyped()),
    wait: (seconds: number) => act(async () => vi.advanceTimersByTime(seconds * 1_000)),
    words: () => screen.getByRole('status').textContent,
  };
}

const CHANGED = '1 item was changed elsewhere';
const DELETED = 'Someone else deleted the item you were in. What you type becomes a new item.';

test('a change is shown for some seconds', async () => {
  const { add, wait, words } = await open();
  await add(ordinary);
  expect(words()).toBe(CHANGED);
  await wait(7);
  expect(words()).toBe('');
});

test('that the row of the cursor was deleted stays until the user types, and other changes wait', async () => {
  const { add, type, wait, words } = await open();
  await add(deleted);
  await add(ordinary);
  await wait(30);
  expect(words()).toBe(DELETED);
  await type();
  expect(words()).toBe(CHANGED);
});

test('that the row of the cursor was deleted goes after a minute', async () => {
  const { add, wait, words } = await open();
  await add(deleted);
  await wait(59);
  expect(words()).toBe(DELETED);
  await wait(2);
  expect(words()).toBe('');
});

test('that a row with unsaved words was deleted stays while the user types, until dismissed', async () => {
  const { add, type, words } = await open();
  await add({ ...ordinary, rows: 0, kept: ['two w1'] });
  await add(ordinary);
  await type();
  expect(words()).toBe(
    'Someone else deleted “two w1” while you edited it. Your text is kept, and saving brings the item back.',
  );
  vi.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(words()).toBe(CHANGED);
});
