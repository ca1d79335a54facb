import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ChecklistStore, createChecklist } from '../../../src/client/checklist.ts';
import { createGraphql } from '../../../src/client/graphql.ts';
import { createOutbox } from '../../../src/client/outbox/outbox.ts';
import { hasUnsentChanges } from '../../../src/client/outbox/unsent.ts';
import { createSession } from '../../../src/client/session.ts';
import { targetOf } from '../../../src/text/rows.ts';
import { runs } from '../../run/seed.ts';
import { fakeBrowser } from '../fake-browser.ts';
import { createSite, type Fate } from './site.ts';

/**
 * Two frames of a browser, or one without storage, and a server with fault injection: requests are delayed, reordered,
 * refused, lost before or after their execution; frames are reloaded, foreign changes are made.
 */

const kinds = [
  'add',
  'add',
  'tick',
  'delete',
  'text',
  'undo',
  'foreign',
  'read',
  'answer',
  'answer',
  'answer',
  'pause',
  'reload',
] as const;
const step = fc.record({ kind: fc.constantFrom(...kinds), frame: fc.nat({ max: 1 }), row: fc.nat({ max: 9 }) });
const steps = fc.array(step, { maxLength: 40 });
const fates = fc.infiniteStream(
  fc.constantFrom<Fate>('done', 'done', 'done', 'done', 'refused', 'lost before', 'lost after'),
);
const places = fc.infiniteStream(fc.nat({ max: 7 }));

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('document', { visibilityState: 'visible' });
  // Computed in another thread it would end at any time, and a seed would not be reproducible.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_, data) => {
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
    return Uint8Array.from(createHash('sha256').update(new Uint8Array(bytes)).digest()).buffer;
  });
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Pairwise dissimilar words, so that none is recognised as a rewording of another. */
const word = (number: number) => createHash('sha256').update(String(number)).digest('base64url').slice(0, 12);

const turn = () => new Promise(resolve => setImmediate(resolve));

interface Opened {
  store: ChecklistStore;
  close(): void;
}

async function run(
  plan: readonly { kind: string; frame: number; row: number }[],
  nextFate: () => Fate,
  nextPlace: () => number,
  keeps: boolean,
) {
  const phase: { settling: boolean } = { settling: false };
  const site = createSite(() => (phase.settling ? 'done' : nextFate()), nextPlace);
  const browser = fakeBrowser({ keeps });
  /** Items by name: refused additions and deletions. */
  const refused = new Set<string>();
  const touched = new Set<string>();
  const mine = new Map<string, ChecklistStore>();
  const accepted = new Set<string>();
  /** The item added by a change, by its id. */
  const items = new Map<string, string>();
  const broken: string[] = [];

  /** An item deleted and restored during a foreign change may appear in both versions. */
  const twice = (rows: readonly string[]) => {
    const untouched = rows.filter(row => !touched.has(row));
    return new Set(untouched).size !== untouched.length;
  };

  const step = async () => {
    site.release();
    await turn();
  };
  const until = async (work: Promise<unknown>) => {
    let done = false;
    void work.finally(() => {
      done = true;
    });
    for (let turns = 0; !done && turns < 2_000; turns++) await step();
    expect(done).toBe(true);
  };

  const open = async (): Promise<Opened> => {
    const page = browser.frame();
    let gone = false;
    const bridge = site.bridge(() => gone);
    const graphql = createGraphql(bridge, createSession(bridge));
    const urgent = hasUnsentChanges('1', page.storage);
    const outbox = async () => (host: Parameters<typeof createOutbox>[0]) => createOutbox(host, page);
    const store = createChecklist({ bridge, graphql, outbox, urgent }, { issueId: '1', issueKey: 'ABC-1' });
    let highest = 0;
    store.subscribe(() => {
      const view = store.get();
      const shown = view?.model.rows.map(row => row.text) ?? [];
      const seq = view?.base.seq ?? 0;
      // Two frames with the same concurrent change and a lost answer agree when it arrives.
      if ((!keeps || view?.waiting === 0) && twice(shown)) broken.push(`twice: ${shown}`);
      if (seq < highest) broken.push(`back from ${highest} to ${seq}`);
      highest = seq;
      for (const { id } of view?.rejected ?? []) refused.add(items.get(id) ?? '');
      for (const [item, made] of mine) {
        if (made === store && !shown.includes(item) && !refused.has(item) && !touched.has(item))
          broken.push(`gone: ${item}`);
      }
    });
    const stop = store.start();
    await until(Promise.all([store.refresh(), store.prepare()]));
    const close = () => {
      gone = true;
      stop();
      page.close();
    };
    return { store, close };
  };

  const frames = [await open(), keeps ? await open() : undefined];
  let count = 0;
  let last: string | undefined;
  const change = (store: ChecklistStore, edit: Parameters<ChecklistStore['change']>[0], item?: string) => {
    if (item !== undefined) mine.set(item, store);
    const { id, outcome } = store.change(edit);
    last = id;
    if (item !== undefined) items.set(id, item);
    outcome.then(
      () => item !== undefined && accepted.add(item),
      () => item !== undefined && refused.add(item),
    );
  };

  for (const { kind, frame, row } of plan) {
    const { store } = frames[frame] ?? frames[0] ?? (await open());
    const model = store.get()?.model;
    const rows = model?.rows.length ?? 0;
    const item = word(++count);
    if (kind === 'answer') await step();
    if (kind === 'pause') await vi.advanceTimersByTimeAsync(30_000);
    if (kind === 'read') void store.refresh().catch(() => undefined);
    if (kind === 'foreign') site.write(`${site.text()}- ${word(-count)}\n`);
    if (kind === 'add') change(store, { kind: 'addChecklistItemsFromText', text: item }, item);
    if (kind === 'text')
      change(store, { kind: 'updateChecklistFromText', text: `${store.get()?.text.trimEnd()}\n- ${item}\n` }, item);
    if (kind === 'undo' && last !== undefined) {
      touched.add(items.get(last) ?? '');
      for (const { edit, base } of store.inverse(last, () => true)) store.change(edit, base);
    }
    if (model && rows > 0 && (kind === 'tick' || kind === 'delete')) {
      const target = targetOf(model, row % rows);
      if (kind === 'delete') touched.add(target.text);
      change(
        store,
        kind === 'tick' ? { kind: 'setItemStatus', target, status: 'done' } : { kind: 'deleteChecklistItem', target },
      );
    }
    if (kind === 'reload' && keeps) {
      const index = frames[frame] ? frame : 0;
      frames[index]?.close();
      frames[index] = await open();
    }
    if (kind === 'add' || kind === 'text') expect(store.get()?.text).toContain(item);
  }

  // Without faults until nothing is pending.
  phase.settling = true;
  const open_ = frames.filter(frame => frame !== undefined);
  for (let rounds = 0; rounds < 20 && open_.some(({ store }) => (store.get()?.waiting ?? 0) > 0); rounds++) {
    for (const { store } of open_) store.sendNow();
    for (let turns = 0; turns < 20; turns++) await step();
    await vi.advanceTimersByTimeAsync(6_000);
  }
  for (const { store } of open_) await until(store.refresh());
  for (let turns = 0; turns < 20; turns++) await step();

  const rows = site
    .text()
    .split('\n')
    .map(line => line.slice(2))
    .filter(line => line !== '');
  expect(broken).toEqual([]);
  expect(twice(rows)).toBe(false);
  for (const item of accepted) if (!touched.has(item)) expect(rows).toContain(item);
  expect(new Set(site.applied).size).toBe(site.applied.length);
  for (const { store } of open_) expect(store.get()).toMatchObject({ text: site.text(), waiting: 0 });
  for (const { close } of open_) close();
}

const law = (keeps: boolean, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(steps, fates, places, async (plan, fateStream, placeStream) => {
      const next = <T>(stream: fc.Stream<T>) => stream.next().value as T;
      await run(
        plan,
        () => next(fateStream),
        () => next(placeStream),
        keeps,
      );
    }),
    runs(numRuns),
  );

test('the shown text is the acknowledged one with the pending changes; none is lost or made twice', () =>
  law(true, 120));

test('the same without storage', () => law(false, 60));
