import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createChecklist } from '../../src/client/checklist.ts';
import { createGraphql } from '../../src/client/graphql.ts';
import { createSession } from '../../src/client/session.ts';
import { storageKey } from '../../src/domain/storage.ts';
import { fakeBridge, sessionToken, status } from './fake-bridge.ts';

type Step = 'add' | 'read' | 'foreign' | 'answer';
type Fate = 'done' | 'refused' | 'lost before' | 'lost after';

const steps = fc.array(fc.constantFrom<Step>('add', 'read', 'foreign', 'answer', 'answer'), { maxLength: 30 });
const fates = fc.infiniteStream(fc.constantFrom<Fate>('done', 'done', 'done', 'refused', 'lost before', 'lost after'));
const places = fc.infiniteStream(fc.nat({ max: 7 }));

// What is lost is sent again after a pause, which nobody waits for here.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterAll(() => void vi.useRealTimers());

/** How often one mutation is sent at most. */
const TRIES = 3;

const turn = () => new Promise(resolve => setImmediate(resolve));

/** A server and tracker that hold one text, and let go of questions and answers in the order that `places` says. */
function site(fate: () => Fate, place: () => number) {
  let seq = 1;
  let text = '- start';
  let waiting: (() => void)[] = [];
  const failed = new Set<string>();
  const applied = new Set<string>();
  const tries = new Map<string, number>();
  const wait = () => new Promise<void>(resolve => waiting.push(resolve));
  const write = (item: string) => {
    seq += 1;
    text = `${text}\n- ${item}`;
  };
  const bridge = fakeBridge({
    tracker: async () => {
      await wait();
      const held = { v: 1, epoch: 'e', seq, name: 'Checklists', text, progress: {} };
      await wait();
      return { properties: { [storageKey('checklist')]: held } };
    },
    server: async (path, { json }) => {
      if (path === '/api/jira/auth') return { token: sessionToken('one') };
      const { variables } = json as { variables: { input: { text: string; clientId: string } } };
      const { clientId, text: item } = variables.input;
      const fated = fate();
      await wait();
      const known = applied.has(clientId);
      const refused = fated === 'refused' && !known;
      if (!known && (fated === 'done' || fated === 'lost after')) write(item);
      if (fated === 'done' || fated === 'lost after') applied.add(clientId);
      const checklist = { issueId: '1', epoch: 'e', seq, hash: 'h', name: 'Checklists', text, source: 'PROPERTY' };
      await wait();
      const tried = (tries.get(clientId) ?? 0) + 1;
      tries.set(clientId, tried);
      if (refused || (fated.startsWith('lost') && tried === TRIES)) failed.add(item);
      if (fated.startsWith('lost')) return status(503);
      const errors = refused ? [{ code: 'FORBIDDEN', field: null, message: 'No.' }] : [];
      const payload = { checklist: errors.length ? null : checklist, conflicts: [], notices: [], errors };
      return { data: { addChecklistItemsFromText: payload } };
    },
  });
  /** Lets one of the waiting go on. */
  const release = async () => {
    const going = waiting[place() % Math.max(1, waiting.length)];
    waiting = waiting.filter(other => other !== going);
    going?.();
    vi.runOnlyPendingTimers();
    await turn();
  };
  return {
    bridge,
    write,
    text: () => text,
    /** The items whose adding was answered by a failure. */
    failed,
    release,
    /** Lets everything go on until the work is done. */
    until: async (work: Promise<unknown>) => {
      let done = false;
      void work.finally(() => {
        done = true;
      });
      while (!done) await release();
    },
  };
}

test('whatever comes late, lost or crossed: nothing shows twice, goes back, or goes before it has failed', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fates, places, async (plan, fateStream, placeStream) => {
      const next = <T>(stream: fc.Stream<T>) => stream.next().value as T;
      const world = site(
        () => next(fateStream),
        () => next(placeStream),
      );
      const graphql = createGraphql(world.bridge, createSession(world.bridge));
      const store = createChecklist({ bridge: world.bridge, graphql }, { issueId: '1', issueKey: 'ABC-1' });
      await world.until(store.refresh());

      const added = new Set<string>();
      const broken: string[] = [];
      let highest = 0;
      store.subscribe(() => {
        const items = store.get()?.model.rows.map(row => row.text) ?? [];
        const seq = store.get()?.base.seq ?? 0;
        if (new Set(items).size !== items.length) broken.push(`twice: ${items}`);
        if (seq < highest) broken.push(`back from ${highest} to ${seq}`);
        for (const item of added) if (!items.includes(item) && !world.failed.has(item)) broken.push(`gone: ${item}`);
        highest = seq;
      });

      const open: Promise<unknown>[] = [];
      for (const [index, step] of plan.entries()) {
        if (step === 'answer') await world.release();
        if (step === 'foreign') world.write(`theirs ${index}`);
        if (step === 'read') open.push(store.refresh());
        if (step === 'add') {
          const item = `mine ${index}`;
          open.push(store.addItems(item).catch(() => undefined));
          added.add(item);
          expect(store.get()?.text).toContain(item);
        }
      }
      await world.until(Promise.all(open));
      await world.until(store.refresh());
      expect(store.get()).toMatchObject({ text: world.text(), saving: 0 });
      expect(broken).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
