import { expect, test, vi } from 'vitest';
import { createCoalesced } from '../../../src/client/live/coalesced.ts';
import { createRefreshing } from '../../../src/client/live/refreshing.ts';
import type { Reading } from '../../../src/client/reading.ts';
import { acknowledged, opened, property, setStatus, shown, world } from '../world.ts';

/** How often a checklist is read: at most once for each change of others, and not for own ones. */

const reading = (seq: number): Reading => ({
  ...{ issueId: '1', epoch: 'e', seq, name: 'Checklists', text: `- ${seq}`, source: 'revision' },
});
const at = (seq: number) => ({ epoch: 'e', seq });
const rest = () => new Promise(resolve => setTimeout(resolve));

/** A checklist at revision 1 whose server answers a request with its revision at that time. */
function checklist() {
  const server = { seq: 1 };
  let held = reading(1);
  let send = (): Promise<void> => Promise.resolve();
  const read = vi.fn(async () => {
    const { seq } = server;
    await send();
    held = reading(seq);
  });
  const refreshing = createRefreshing({
    ...createCoalesced(read),
    issueId: '1',
    held: () => held,
    answered: async () => undefined,
  });
  const change = () => {
    server.seq += 1;
    return refreshing.catchUp(at(server.seq));
  };
  const hold = () => {
    let release = (): void => undefined;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    send = () => held;
    return () => {
      send = () => Promise.resolve();
      release();
    };
  };
  return { server, read, change, hold, held: () => held, ...refreshing };
}

test('each change of others is read once, and those during a request all at once', async () => {
  const { change, hold, read, held } = checklist();
  for (const _ of [1, 2, 3]) await change();
  expect(read).toHaveBeenCalledTimes(3);
  const release = hold();
  const first = change();
  await rest();
  const changes = [first, ...Array.from({ length: 19 }, change)];
  await rest();
  expect(read).toHaveBeenCalledTimes(4);
  release();
  await Promise.all(changes);
  expect(held().seq).toBe(24);
  expect(read).toHaveBeenCalledTimes(5);
});

test('two causes of one change read once: its event, and the message of another frame', async () => {
  const { change, catchUp, read, server } = checklist();
  const both = [change(), catchUp(at(server.seq))];
  await Promise.all(both);
  await catchUp(at(server.seq));
  expect(read).toHaveBeenCalledTimes(1);
});

test('a revision that is held is not read again, an unknown one and one of another epoch are', async () => {
  const { catchUp, read } = checklist();
  await catchUp(at(1));
  expect(read).not.toHaveBeenCalled();
  await catchUp();
  await catchUp({ epoch: 'other', seq: 1 });
  expect(read).toHaveBeenCalledTimes(2);
});

test('behind a dialog nothing is read; when it closes what is newer is read once', async () => {
  const { change, cover, poll, catchUp, read, held } = checklist();
  let close = (_result: unknown): void => undefined;
  const closed = new Promise<unknown>(resolve => {
    close = resolve;
  });
  const covered = cover(closed);
  for (const _ of [1, 2, 3]) await change();
  await poll();
  expect(read).not.toHaveBeenCalled();
  close({ issueId: '1', seq: 4 });
  await covered;
  expect(held().seq).toBe(4);
  expect(read).toHaveBeenCalledTimes(1);
  await catchUp(at(4));
  expect(read).toHaveBeenCalledTimes(1);
});

test.each([
  ['what is held already', { issueId: '1', seq: 1 }, 0],
  ['something newer', { issueId: '1', seq: 2 }, 1],
  ['another issue', { issueId: '2', seq: 9 }, 0],
  ['nothing', undefined, 1],
])('a dialog that closes with %s', async (_what, result, reads) => {
  const { cover, read } = checklist();
  await cover(Promise.resolve(result));
  expect(read).toHaveBeenCalledTimes(reads);
});

test('an own change is not read again, whether its event comes before or after its answer', async () => {
  const { store, mutations, reads } = await opened('- a\n- b');
  const stored = setStatus(store, { index: 0, text: 'a' }, 'done');
  const before = store.catchUp(at(2));
  await mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await Promise.all([stored, before]);
  await store.catchUp(at(2));
  expect(reads.asked).toHaveLength(1);
  const foreign = store.catchUp(at(3));
  await reads.answer(property({ seq: 3, text: '+ a\n+ b' }));
  await foreign;
  expect(shown(store)).toBe('+ a\n+ b');
  expect(reads.asked).toHaveLength(2);
});

test('polling, events and other frames share one request', async () => {
  const { store, reads, bridge } = world();
  const stop = store.start();
  const polled = store.poll();
  bridge.publish('checklist-changed', { issueId: '10001' });
  bridge.publish('checklist-changed', { issueId: '10001' });
  const caught = store.catchUp();
  await rest();
  expect(reads.asked).toHaveLength(1);
  await reads.answer(property({ seq: 1, text: '- a' }));
  await polled;
  await reads.answer(property({ seq: 2, text: '- b' }));
  await caught;
  expect(reads.asked).toHaveLength(2);
  expect(shown(store)).toBe('- b');
  stop();
});
