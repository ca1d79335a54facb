import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { storage } from '../../src/domain/messages.ts';
import { packRowIds, storageKey } from '../../src/domain/storage.ts';
import { hashText } from '../../src/text/document.ts';
import { acknowledged, addItems, deleteItem, opened, property, refusal, setStatus, shown, world } from './world.ts';

/** Changes: shown at once, sent one after the other, and confirmed. */

test('a tick shows at once, is sent on its base, and is confirmed', async () => {
  const { store, mutations, sent, bridge } = await opened('- a\n- b');
  const outcome = setStatus(store, { index: 1, text: 'b' }, 'done');
  expect(store.get()).toMatchObject({ text: '- a\n+ b', waiting: 1, base: { seq: 1, text: '- a\n- b' } });
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n+ b' }));
  expect(await outcome).toEqual({ base: { epoch: 'e', seq: 2, text: '- a\n+ b' }, conflicts: [], notices: [] });
  expect(store.get()).toMatchObject({ text: '- a\n+ b', state: 'saved', waiting: 0, base: { seq: 2 } });
  expect(sent()).toEqual([
    {
      operationName: 'setItemStatus',
      input: {
        issueId: '10001',
        clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        base: { epoch: 'e', seq: 1, hash: await hashText('- a\n- b') },
        change: { kind: 'setItemStatus', target: { index: 1, text: 'b' }, status: 'done' },
      },
    },
  ]);
  expect(bridge.emitted).toEqual([{ event: 'checklist-changed', data: { issueId: '10001', epoch: 'e', seq: 2 } }]);
});

test('rows outside an edit keep their identity, before and after its acknowledgement', async () => {
  const text = Array.from({ length: 9 }, (_, index) => `- ${index}`).join('\n');
  const { store, mutations } = await opened(text);
  const before = store.get()?.model.rows ?? [];
  const ticked = text.replace('- 8', '+ 8');
  const outcome = setStatus(store, { index: 8, text: '8' }, 'done');
  expect(shown(store)).toBe(ticked);
  const after = store.get()?.model;
  expect(after?.rows[0]).toBe(before[0]);
  await mutations.answer(acknowledged({ seq: 2, text: ticked }));
  await outcome;
  expect(store.get()?.model).toBe(after);
});

test('added items show normalised at the end, deleted ones are removed', async () => {
  const { store, mutations, sent } = await opened('- a\n');
  const added = addItems(store, '  b  \n\n+ c');
  expect(shown(store)?.trimEnd()).toBe('- a\n- b\n+ c');
  const deleted = deleteItem(store, { index: 0, text: 'a' });
  expect(shown(store)?.trimEnd()).toBe('- b\n+ c');
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b\n+ c\n' }));
  await added;
  await mutations.answer(acknowledged({ seq: 3, text: '- b\n+ c\n' }));
  await deleted;
  const changes = [
    { kind: 'addChecklistItemsFromText', text: '  b  \n\n+ c', rows: [expect.any(String), expect.any(String)] },
    { kind: 'deleteChecklistItem', target: { index: 0, text: 'a' } },
  ];
  expect(sent().map(({ input }) => input.change)).toEqual(changes);
  // Analytics count operations by name.
  expect(sent().map(({ operationName }) => operationName)).toEqual(changes.map(({ kind }) => kind));
});

test('an edit before the first reading waits for it', async () => {
  const { store, mutations, reads, sent } = world();
  const added = addItems(store, 'b');
  await reads.answer(property({ seq: 3, text: '- a' }));
  expect(store.get()).toMatchObject({ text: expect.stringMatching(/^- a\n- b\n?$/), waiting: 1 });
  await mutations.answer(acknowledged({ seq: 4, text: '- a\n- b' }));
  expect((await added).base.seq).toBe(4);
  expect(sent()[0]?.input.base).toEqual({ epoch: 'e', seq: 3, hash: await hashText('- a') });
});

test('edits are sent one after the other, each on its own base', async () => {
  const { store, mutations, sent } = await opened('- a\n- b');
  const first = setStatus(store, { index: 0, text: 'a' }, 'done');
  const second = setStatus(store, { index: 1, text: 'b' }, 'done');
  expect(store.get()).toMatchObject({ text: '+ a\n+ b', waiting: 2 });
  await mutations.answer(acknowledged({ seq: 2, text: '+ a\n- b' }));
  await first;
  expect(store.get()).toMatchObject({ text: '+ a\n+ b', waiting: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.input.base).toEqual({ epoch: 'e', seq: 2, hash: await hashText('+ a\n- b') });
  await mutations.answer(acknowledged({ seq: 3, text: '+ a\n+ b' }));
  await second;
  expect(store.get()).toMatchObject({ text: '+ a\n+ b', state: 'saved', waiting: 0 });
});

test('an edit after foreign changes still applies to its row', async () => {
  const { store, mutations, sent } = await opened('- a\n- a');
  const added = addItems(store, 'b');
  const second = setStatus(store, { index: 1, text: 'a' }, 'done');
  await mutations.answer(acknowledged({ seq: 5, text: '# new\n- x\n- a\n- a\n- b' }));
  await added;
  expect(shown(store)).toBe('# new\n- x\n- a\n+ a\n- b');
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await vi.waitFor(() => expect(sent()).toHaveLength(3));
  expect(sent()[2]?.input).toMatchObject({ base: { text: expect.stringMatching(/^- a\n- a\n- b\n?$/) } });
  await mutations.answer(acknowledged({ seq: 6, text: '# new\n- x\n- a\n+ a\n- b' }));
  await second;
});

test('a reading in the middle of an edit neither undoes nor doubles it', async () => {
  const { store, mutations, reads } = await opened('- a');
  const added = addItems(store, 'b');
  const before = store.refresh();
  await reads.answer(property({ seq: 1, text: '- a' }));
  await before;
  expect(shown(store)?.trimEnd()).toBe('- a\n- b');
  // The server has stored this and a foreign change, and its answer is pending.
  const after = store.refresh();
  await reads.answer(property({ seq: 3, text: '- a\n- b\n- theirs' }));
  await after;
  expect(shown(store)).toBe('- a\n- b\n- theirs');
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b' }));
  await added;
  expect(store.get()).toMatchObject({ text: '- a\n- b\n- theirs', state: 'saved', waiting: 0 });
});

test('a reading in which others have moved an added row, before its answer, shows it once', async () => {
  const ids = ['aaaaaaaa', 'bbbbbbbb'];
  const copy = (seq: number, text: string, rows: readonly string[]) => ({
    properties: { [storageKey('checklist')]: { v: 1, epoch: 'e', seq, name: 'L', text, rows: packRowIds(text, rows) } },
  });
  const { store, reads, sent } = world();
  const opening = store.refresh();
  await reads.answer(copy(1, '- a\n- b\n', ids));
  await opening;
  void addItems(store, 'new');
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const { rows: [added] = [] } = v.parse(v.object({ rows: v.array(v.string()) }), sent()[0]?.input.change);
  const moved = store.refresh();
  await reads.answer(copy(3, '- new\n- a\n- b\n', [added ?? '', ...ids]));
  await moved;
  expect(shown(store)).toBe('- new\n- a\n- b\n');
});

test('a reading that started before an acknowledgement does not undo it', async () => {
  const { store, mutations, reads } = world();
  const opening = store.refresh();
  await reads.answer({ properties: { [storageKey('checklist')]: '- plain' } });
  await opening;
  const refreshed = store.refresh();
  const ticked = setStatus(store, { index: 0, text: 'plain' }, 'done');
  await mutations.answer(acknowledged({ seq: 1, text: '+ plain' }));
  await ticked;
  await reads.answer({ properties: { [storageKey('checklist')]: '- plain' } });
  await refreshed;
  expect(store.get()).toMatchObject({ text: '+ plain', base: { epoch: 'e', seq: 1 } });
});

test('an edit of a missing row is refused at once, and nothing is sent', async () => {
  const { store, sent } = await opened('- a');
  const gone = setStatus(store, { index: 3, text: 'gone' }, 'done');
  expect(store.get()).toMatchObject({ text: '- a', state: 'saved' });
  await expect(gone).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE', message: storage.changedMeanwhile });
  expect(sent()).toEqual([]);
});

test("an editor's text is saved over the base that it was typed on", async () => {
  const { store, mutations, sent } = await opened('- a\n- theirs', 9);
  const base = { epoch: 'e', seq: 7, text: '- a' };
  const saved = store.change({ kind: 'updateChecklistFromText', text: '- a\n- mine', name: 'Mine' }, base).outcome;
  expect(store.get()).toMatchObject({ text: '- a\n- theirs\n- mine', name: 'Mine' });
  const conflicts = [{ row: 'a', attribute: 'status', mine: 'done', theirs: 'skipped' }];
  const merged = { ...acknowledged({ seq: 10, text: '- a\n- theirs\n- mine' }), conflicts, notices: ['Field full.'] };
  await mutations.answer(merged);
  expect(await saved).toMatchObject({
    base: { epoch: 'e', seq: 10, text: '- a\n- theirs\n- mine' },
    conflicts,
    notices: ['Field full.'],
  });
  expect(shown(store)).toBe('- a\n- theirs\n- mine');
  expect(sent()[0]?.input).toMatchObject({
    change: { text: '- a\n- mine', name: 'Mine' },
    base: { epoch: 'e', seq: 7, hash: await hashText('- a') },
  });
});
