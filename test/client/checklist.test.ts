import { afterEach, expect, test, vi } from 'vitest';
import { type ChecklistStore, createChecklist } from '../../src/client/checklist.ts';
import { MutationRefused } from '../../src/client/errors.ts';
import { createGraphql } from '../../src/client/graphql.ts';
import { createSession } from '../../src/client/session.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { hashText } from '../../src/text/document.ts';
import { fakeBridge, type Handler, sessionToken, status } from './fake-bridge.ts';

const issue = { issueId: '10001', issueKey: 'ABC-1' };

interface Stored {
  epoch?: string;
  seq: number;
  text: string;
}
const property = ({ epoch = 'e', seq, text }: Stored) => ({
  properties: { [storageKey('checklist')]: { v: 1, epoch, seq, name: 'Checklists', text, progress: {} } },
});
const acknowledged = ({ epoch = 'e', seq, text }: Stored) => ({
  checklist: { issueId: '10001', epoch, seq, hash: 'h', name: 'Checklists', text, source: 'PROPERTY' },
  conflicts: [],
  notices: [],
  errors: [],
});
const refusal = (code: string, message = 'No.') => ({
  checklist: null,
  conflicts: [],
  notices: [],
  errors: [{ code, field: null, message }],
});

/** Whatever is asked waits until the test answers; the oldest question first. */
function questions<T>() {
  const open: ((answer: T) => void)[] = [];
  const asked: unknown[] = [];
  return {
    asked,
    ask: (question: unknown) => {
      asked.push(question);
      return new Promise<T>(resolve => open.push(resolve));
    },
    answer: async (answer: T, place = 0) => {
      await vi.waitFor(() => expect(open.length).toBeGreaterThan(place));
      open.splice(place, 1)[0]?.(answer);
      await new Promise(resolve => setTimeout(resolve));
    },
  };
}

/** What a mutation sends, and its answer as the payload of whatever field it asked for. */
interface Mutation {
  operationName: string;
  input: { clientId: string; base: { epoch: string; seq: number; hash: string; text?: string } } & Record<
    string,
    unknown
  >;
}
const mutationOf = (json: unknown): Mutation => {
  const { operationName, variables } = json as { operationName: string; variables: { input: Mutation['input'] } };
  return { operationName, input: variables.input };
};

/** A checklist whose tracker and server answer by hand, or by the handlers given. */
function world(parts: { tracker?: Handler; query?: Handler } = {}) {
  const mutations = questions<object>();
  const reads = questions<object>();
  const bridge = fakeBridge({
    tracker: parts.tracker ?? ((path, init) => reads.ask({ path, init })),
    server: async (path, init) => {
      if (path === '/api/jira/auth') return { token: sessionToken('one') };
      const { operationName } = init.json as { operationName: string };
      if (operationName === 'getChecklist') return (parts.query ?? (() => status(500)))(path, init);
      const payload = await mutations.ask(mutationOf(init.json));
      return 'status' in payload ? payload : { data: { [operationName]: payload } };
    },
  });
  const graphql = createGraphql(bridge, createSession(bridge));
  const store = createChecklist({ bridge, graphql }, issue);
  const sent = () => mutations.asked as Mutation[];
  return { bridge, store, mutations, reads, sent };
}

/** A checklist that has been read. */
async function opened(text: string, seq = 1) {
  const opening = world();
  const done = opening.store.refresh();
  await opening.reads.answer(property({ seq, text }));
  await done;
  return opening;
}

const shown = (store: ChecklistStore) => store.get()?.text;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('it shows what the tracker holds while our server says nothing', async () => {
  const { store, bridge } = await opened('- a\n+ b');
  expect(store.get()).toMatchObject({
    issueId: '10001',
    name: 'Checklists',
    source: 'property',
    text: '- a\n+ b',
    base: { epoch: 'e', seq: 1, text: '- a\n+ b' },
    saving: 0,
  });
  expect(store.get()?.model.rows.map(row => row.text)).toEqual(['a', 'b']);
  expect(bridge.calls.filter(({ to }) => to === 'server')).toEqual([]);
});

test('foreign line ends become ours', async () => {
  const { store } = world({ tracker: () => ({ properties: { [storageKey('checklist')]: '\uFEFF- a\r\n- b' } }) });
  await store.refresh();
  expect(store.get()).toMatchObject({ text: '- a\n- b', base: { epoch: '', seq: 0, text: '- a\n- b' } });
});

test('an unchanged reading changes nothing on the screen', async () => {
  const { store, reads } = await opened('- a');
  const before = store.get();
  const heard = vi.fn();
  store.subscribe(heard);
  const done = store.refresh();
  await reads.answer(property({ seq: 1, text: '- a' }));
  await done;
  expect(store.get()).toBe(before);
  expect(heard).not.toHaveBeenCalled();
});

test('a reading that arrives late never shows an older seq', async () => {
  const { store, reads } = await opened('- a', 4);
  const [first, second] = [store.refresh(), store.refresh()];
  await reads.answer(property({ seq: 6, text: '- newer' }), 1);
  await reads.answer(property({ seq: 5, text: '- older' }));
  await Promise.all([first, second]);
  expect(shown(store)).toBe('- newer');
});

test('across epochs the reading that started later counts', async () => {
  const { store, reads } = await opened('- a', 40);
  const [first, second] = [store.refresh(), store.refresh()];
  await reads.answer(property({ epoch: 'new', seq: 1, text: '- restored' }), 1);
  await reads.answer(property({ seq: 41, text: '- of the old epoch' }));
  await Promise.all([first, second]);
  expect(store.get()).toMatchObject({ text: '- restored', base: { epoch: 'new', seq: 1 } });
});

test('a tick shows at once, is sent on its base, and is confirmed', async () => {
  const { store, mutations, sent, bridge } = await opened('- a\n- b');
  const outcome = store.setStatus({ index: 1, text: 'b' }, 'done');
  expect(store.get()).toMatchObject({ text: '- a\n+ b', saving: 1, base: { seq: 1, text: '- a\n- b' } });
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n+ b' }));
  expect(await outcome).toEqual({ base: { epoch: 'e', seq: 2, text: '- a\n+ b' }, conflicts: [], notices: [] });
  expect(store.get()).toMatchObject({ text: '- a\n+ b', saving: 0, base: { seq: 2 } });
  expect(sent()).toEqual([
    {
      operationName: 'setItemStatus',
      input: {
        issueId: '10001',
        clientId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        base: { epoch: 'e', seq: 1, hash: await hashText('- a\n- b') },
        target: { index: 1, text: 'b' },
        status: 'done',
      },
    },
  ]);
  expect(bridge.told).toEqual([{ event: 'checklist-changed', data: { issueId: '10001' } }]);
});

test('rows away from an edit stay the same objects, before and after its acknowledgement', async () => {
  const text = Array.from({ length: 9 }, (_, index) => `- ${index}`).join('\n');
  const { store, mutations } = await opened(text);
  const before = store.get()?.model.rows ?? [];
  const ticked = text.replace('- 8', '+ 8');
  const outcome = store.setStatus({ index: 8, text: '8' }, 'done');
  expect(shown(store)).toBe(ticked);
  const after = store.get()?.model;
  expect(after?.rows[0]).toBe(before[0]);
  await mutations.answer(acknowledged({ seq: 2, text: ticked }));
  await outcome;
  expect(store.get()?.model).toBe(after);
});

test('added items show normalised at the end, deleted ones go', async () => {
  const { store, mutations, sent } = await opened('- a\n');
  const added = store.addItems('  b  \n\n+ c');
  expect(shown(store)?.trimEnd()).toBe('- a\n- b\n+ c');
  const deleted = store.deleteItem({ index: 0, text: 'a' });
  expect(shown(store)?.trimEnd()).toBe('- b\n+ c');
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b\n+ c\n' }));
  await added;
  await mutations.answer(acknowledged({ seq: 3, text: '- b\n+ c\n' }));
  await deleted;
  expect(sent().map(({ operationName, input }) => [operationName, input.text ?? input.target])).toEqual([
    ['addChecklistItemsFromText', '  b  \n\n+ c'],
    ['deleteChecklistItem', { index: 0, text: 'a' }],
  ]);
});

test('an edit before anything was read waits for the reading', async () => {
  const { store, mutations, reads, sent } = world();
  const added = store.addItems('b');
  await reads.answer(property({ seq: 3, text: '- a' }));
  expect(store.get()).toMatchObject({ text: expect.stringMatching(/^- a\n- b\n?$/), saving: 1 });
  await mutations.answer(acknowledged({ seq: 4, text: '- a\n- b' }));
  expect((await added).base.seq).toBe(4);
  expect(sent()[0]?.input.base).toEqual({ epoch: 'e', seq: 3, hash: await hashText('- a') });
});

test('edits go one after the other, each on what the one before led to', async () => {
  const { store, mutations, sent } = await opened('- a\n- b');
  const first = store.setStatus({ index: 0, text: 'a' }, 'done');
  const second = store.setStatus({ index: 1, text: 'b' }, 'done');
  expect(store.get()).toMatchObject({ text: '+ a\n+ b', saving: 2 });
  await mutations.answer(acknowledged({ seq: 5, text: '- new\n+ a\n- b' }));
  await first;
  expect(store.get()).toMatchObject({ text: '- new\n+ a\n+ b', saving: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.input.base).toEqual({ epoch: 'e', seq: 5, hash: await hashText('- new\n+ a\n- b') });
  await mutations.answer(acknowledged({ seq: 6, text: '- new\n+ a\n+ b' }));
  await second;
  expect(store.get()).toMatchObject({ text: '- new\n+ a\n+ b', saving: 0 });
});

test('a reading in the middle of an edit neither undoes nor doubles it', async () => {
  const { store, mutations, reads } = await opened('- a');
  const added = store.addItems('b');
  const before = store.refresh();
  await reads.answer(property({ seq: 1, text: '- a' }));
  await before;
  expect(shown(store)?.trimEnd()).toBe('- a\n- b');
  // The server has written already, and its answer is on the way.
  const after = store.refresh();
  await reads.answer(property({ seq: 2, text: '- a\n- b' }));
  await after;
  expect(shown(store)?.trimEnd()).toBe('- a\n- b');
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b' }));
  await added;
  expect(store.get()).toMatchObject({ text: '- a\n- b', saving: 0 });
  // What could not be taken meanwhile is read again.
  await reads.answer(property({ seq: 3, text: '- a\n- b\n- theirs' }));
  expect(shown(store)).toBe('- a\n- b\n- theirs');
});

test('a reading that started before an acknowledgement does not undo it', async () => {
  const { store, mutations, reads } = world();
  const opening = store.refresh();
  await reads.answer({ properties: { [storageKey('checklist')]: '- plain' } });
  await opening;
  const late = store.refresh();
  const ticked = store.setStatus({ index: 0, text: 'plain' }, 'done');
  await mutations.answer(acknowledged({ seq: 1, text: '+ plain' }));
  await ticked;
  await reads.answer({ properties: { [storageKey('checklist')]: '- plain' } });
  await late;
  expect(store.get()).toMatchObject({ text: '+ plain', base: { epoch: 'e', seq: 1 } });
});

test('an edit that is refused is taken back, and the truth is read', async () => {
  const { store, mutations, reads } = await opened('- a');
  const ticked = store.setStatus({ index: 0, text: 'a' }, 'done');
  expect(shown(store)).toBe('+ a');
  const failure = expect(ticked).rejects.toMatchObject({ name: 'MutationRefused', code: 'FORBIDDEN', message: 'No.' });
  await mutations.answer(refusal('FORBIDDEN'));
  await failure;
  expect(store.get()).toMatchObject({ text: '- a', saving: 0 });
  await reads.answer(property({ seq: 2, text: '- a\n- b' }));
  expect(shown(store)).toBe('- a\n- b');
});

test('one that fails does not hold up the next', async () => {
  const { store, mutations } = await opened('- a\n- b');
  const first = expect(store.setStatus({ index: 0, text: 'a' }, 'done')).rejects.toThrow('Broken.');
  const second = store.setStatus({ index: 1, text: 'b' }, 'done');
  await mutations.answer(status(500, '{"error":"Broken."}'));
  await first;
  expect(store.get()).toMatchObject({ text: '- a\n+ b', saving: 1 });
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n+ b' }));
  expect((await second).base.seq).toBe(2);
});

test('an edit whose row has gone shows nothing, and the server decides', async () => {
  const { store, mutations } = await opened('- a');
  const gone = expect(store.setStatus({ index: 3, text: 'gone' }, 'done')).rejects.toBeInstanceOf(MutationRefused);
  expect(store.get()).toMatchObject({ text: '- a', saving: 1 });
  await mutations.answer(refusal('CHANGED_MEANWHILE'));
  await gone;
});

test('an edit whose answer is lost is sent again under the same id, and is unsaved meanwhile', async () => {
  const { store, mutations, sent } = await opened('- a');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const added = store.addItems('b');
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  const lost = mutations.answer(status(503));
  await vi.waitFor(() => {
    vi.runAllTimers();
    expect(sent()).toHaveLength(2);
  });
  await lost;
  vi.useRealTimers();
  expect(store.get()).toMatchObject({ text: '- a\n- b', saving: 1 });
  await mutations.answer(acknowledged({ seq: 2, text: '- a\n- b' }));
  await added;
  expect(store.get()).toMatchObject({ text: '- a\n- b', saving: 0 });
  expect(sent()[1]?.input).toEqual(sent()[0]?.input);
});

test('a base that the server does not know is sent along, under the same id', async () => {
  const { store, mutations, sent } = await opened('- a');
  const ticked = store.setStatus({ index: 0, text: 'a' }, 'done');
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await mutations.answer(acknowledged({ epoch: 'new', seq: 1, text: '+ a' }));
  expect((await ticked).base).toEqual({ epoch: 'new', seq: 1, text: '+ a' });
  const [first, second] = sent();
  expect(first?.input.base).not.toHaveProperty('text');
  expect(second?.input).toEqual({ ...first?.input, base: { ...first?.input.base, text: '- a' } });
});

test('a base that stays unknown is a refusal', async () => {
  const { store, mutations, sent } = await opened('- a');
  const ticked = expect(store.setStatus({ index: 0, text: 'a' }, 'done')).rejects.toMatchObject({
    code: 'BASE_UNKNOWN',
  });
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await mutations.answer(refusal('BASE_UNKNOWN'));
  await ticked;
  expect(sent()).toHaveLength(2);
});

test("an editor's text is saved over the base that it was typed on", async () => {
  const { store, mutations, sent } = await opened('- a\n- theirs', 9);
  const base = { epoch: 'e', seq: 7, text: '- a' };
  const saved = store.replaceText('- a\n- mine', base, 'Mine');
  expect(shown(store)).toBe('- a\n- theirs');
  const conflicts = [{ row: 'a', attribute: 'status', mine: 'done', theirs: 'skipped' }];
  const merged = { ...acknowledged({ seq: 10, text: '- a\n- theirs\n- mine' }), conflicts, notices: ['Field full.'] };
  await mutations.answer(merged);
  expect(await saved).toEqual({
    base: { epoch: 'e', seq: 10, text: '- a\n- theirs\n- mine' },
    conflicts,
    notices: ['Field full.'],
  });
  expect(shown(store)).toBe('- a\n- theirs\n- mine');
  expect(sent()[0]?.input).toMatchObject({
    text: '- a\n- mine',
    name: 'Mine',
    base: { epoch: 'e', seq: 7, hash: await hashText('- a') },
  });
});

test('where the tracker holds nothing it is empty at once, and our server is asked once for a last revision', async () => {
  const revision = { ...acknowledged({ seq: 8, text: '- kept' }).checklist, source: 'REVISION' };
  const query = vi.fn(async () => ({ data: { checklist: revision } }));
  const { store } = world({ tracker: () => ({ properties: {}, names: {}, fields: {} }), query });
  const texts: (string | undefined)[] = [];
  store.subscribe(() => texts.push(shown(store)));
  await store.refresh();
  await store.refresh();
  expect(texts).toEqual(['', '- kept']);
  expect(store.get()).toMatchObject({ source: 'revision', base: { epoch: 'e', seq: 8 } });
  expect(query).toHaveBeenCalledOnce();
});

test('where the tracker holds nothing and our server is away it is empty, and our server is asked again', async () => {
  const query = vi.fn(async () => status(500));
  const { store } = world({ tracker: () => ({}), query });
  await store.refresh();
  await store.refresh();
  expect(store.get()).toMatchObject({ source: 'none', text: '', base: { epoch: '', seq: 0, text: '' } });
  expect(query).toHaveBeenCalledTimes(2);
});

test('somebody whom the tracker refuses reads through our server; if that refuses too, the tracker’s words stand', async () => {
  const checklist = acknowledged({ seq: 3, text: '- a' }).checklist;
  const served = world({ tracker: () => status(404, 'Not yours.'), query: () => ({ data: { checklist } }) });
  await served.store.refresh();
  expect(shown(served.store)).toBe('- a');
  const refused = world({ tracker: () => status(404, 'Not yours.'), query: () => status(403) });
  await expect(refused.store.refresh()).rejects.toMatchObject({ name: 'TrackerError', text: 'Not yours.' });
  expect(refused.store.get()).toBeUndefined();
});

test('a reading that fails leaves what is shown', async () => {
  const { store, bridge } = await opened('- a');
  bridge.tracker = () => status(500, 'Oh.');
  await expect(store.refresh()).rejects.toThrow('Oh.');
  expect(shown(store)).toBe('- a');
});

test('a change in another frame of ours is read at once, until it is stopped', async () => {
  const { store, reads, bridge } = await opened('- a');
  const stop = store.start();
  bridge.tell('checklist-changed', { issueId: '10002' });
  bridge.tell('checklist-changed', 'nonsense');
  bridge.tell('checklist-changed', { issueId: '10001' });
  await reads.answer(property({ seq: 2, text: '- b' }));
  expect(shown(store)).toBe('- b');
  stop();
  bridge.tell('checklist-changed', { issueId: '10001' });
  expect(reads.asked).toHaveLength(2);
});
