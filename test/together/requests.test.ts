import { afterAll, beforeAll, expect, test } from 'vitest';
import { perMinute } from '../../src/server/quota/limits.ts';
import { endVirtualTime, pass, startVirtualTime, turn } from './clock.ts';
import { arriveAll, type Collaboration, startCollaboration } from './people.ts';
import { wordOf } from './words.ts';

beforeAll(startVirtualTime);
afterAll(endVirtualTime);

const PEOPLE = 3;
/** Each person stores so many words in a minute. */
const SAVES = 20;
const SAVE_MS = 60_000 / SAVES;

/** The kind of a request, if it is one. */
function kindOf(what: string): 'read' | 'conflicts' | 'change' | undefined {
  if (what.startsWith('the answer')) return undefined;
  if (what === 'the reading of conflicts') return 'conflicts';
  return what.startsWith('the reading') ? 'read' : 'change';
}

/** Lets everything arrive, and counts the requests of each frame. */
async function arrive(all: Collaboration, requests: Map<string, number>): Promise<void> {
  const { network } = all;
  for (let [next] = network.waiting(); next; [next] = network.waiting()) {
    const kind = kindOf(next.what);
    const key = `${kind} ${next.frame}`;
    if (kind) requests.set(key, (requests.get(key) ?? 0) + 1);
    network.arrive(next);
    await turn();
  }
}

test('three people who write all the time read each change of others once, ask for no conflicts if there are none, and stay below the limits', async () => {
  const all = await startCollaboration({ people: PEOPLE, rows: 4, hasTrackerCopy: false });
  const { people, server } = all;
  for (const person of people) all.openEditor(person, false);
  await turn();
  await arriveAll(all);
  const requests = new Map<string, number>();
  const changes = new Map<number, number>();
  let words = 0;
  for (let round = 0; round < SAVES; round++) {
    for (const { editor, index } of people) {
      const opened = editor?.opened;
      if (!editor || !opened) throw new Error('The editor has no text.');
      const { view, saving } = opened;
      const line = view.state.doc.line(index + 2);
      const text = ` ${wordOf(++words)}`;
      view.dispatch({ changes: { from: line.to, insert: text }, userEvent: 'input.type' });
      const before = server.revisions.length;
      void saving.save();
      await turn();
      await arrive(all, requests);
      changes.set(editor.frame.id, (changes.get(editor.frame.id) ?? 0) + server.revisions.length - before);
      // The live connection names the new revision to each frame.
      const { epoch, seq } = server.last();
      for (const { desk } of people)
        for (const { store } of desk.frames) void store.catchUp({ epoch, seq }).catch(() => undefined);
      await turn();
      await arrive(all, requests);
      await pass(SAVE_MS / PEOPLE);
      await arrive(all, requests);
    }
  }
  const made = [...changes.values()].reduce((sum, count) => sum + count, 0);
  expect(made).toBe(PEOPLE * SAVES);
  for (const { desk } of people) {
    const countOf = (kind: string, id: number) => requests.get(`${kind} ${id}`) ?? 0;
    const ids = [...desk.frames].map(({ id }) => id);
    const own = ids.reduce((sum, id) => sum + (changes.get(id) ?? 0), 0);
    // The frames of one user tell each other what they have stored.
    for (const id of ids) {
      expect(countOf('read', id)).toBeLessThanOrEqual(made - own);
      expect(countOf('conflicts', id)).toBe(0);
    }
    const sums = ids.map(id => countOf('read', id) + countOf('change', id));
    for (const sum of sums) expect(sum).toBeLessThan(perMinute.token);
    expect(sums.reduce((total, sum) => total + sum, 0)).toBeLessThan(perMinute.account);
  }
});
