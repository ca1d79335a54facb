import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Base } from '../../../../src/client/reading.ts';
import { createSaving } from '../../../../src/ui/text-editor/saving/saving.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const base = (seq: number, text: string): Base => ({ epoch: 'e', seq, text });

/** A text whose saving the test answers by hand. */
function open(text: string) {
  const page = {
    text,
    kept: [] as (string | undefined)[],
    keptSent: [] as (string | undefined)[],
    ids: [] as readonly string[],
    /** The ids of the base over which a version came in. */
    baseIds: [] as (readonly string[] | undefined)[],
    hurried: 0,
    refusals: 0,
    /** Whether versions cannot be shown. */
    isBroken: false as boolean,
  };
  const sent: { text: string; base: Base; answer(stored: Base): void; fail(): void }[] = [];
  const saving = createSaving<{ base: Base }>({
    base: base(1, text),
    text: () => page.text,
    content: () => ({ text: page.text }),
    rowIds: () => page.ids,
    send: ({ text: typed }, over) =>
      new Promise((resolve, reject) => {
        sent.push({
          text: typed,
          base: over,
          answer: stored => resolve({ base: stored }),
          fail: () => reject(new Error()),
        });
      }),
    receive: async take => {
      const change = take();
      if (page.isBroken) throw new Error('Not shown.');
      page.baseIds.push(change?.base.rows);
      const base = change?.base.text;
      if (!change || base === undefined || change.text === base) return;
      const { text } = change;
      page.text = page.text === base ? text : `${text} + ${page.text}`;
    },
    keepDraft: unsaved => {
      page.kept.push(unsaved?.text);
      page.keptSent.push(unsaved?.sent?.text);
    },
    sendNow: () => {
      page.hurried += 1;
    },
    stored: () => undefined,
    refused: () => {
      page.refusals += 1;
    },
  });
  const type = (typed: string) => {
    page.text = typed;
    saving.edited();
  };
  return { page, sent, saving, type, settled: () => vi.advanceTimersByTimeAsync(0) };
}

test('goes from unsaved over saving to saved', async () => {
  const { sent, saving, type, settled } = open('a');
  expect(saving.get()).toBe('saved');
  type('ab');
  expect(saving.get()).toBe('unsaved');
  const done = saving.save();
  expect(saving.get()).toBe('saving');
  sent[0]?.answer(base(2, 'ab'));
  await settled();
  expect(saving.get()).toBe('saved');
  await expect(done).resolves.toBe(true);
});

test('the next save is based on the stored text, after the previous one', async () => {
  const { sent, saving, type, settled } = open('a');
  type('ab');
  void saving.save();
  type('abc');
  const second = saving.save();
  expect(sent).toHaveLength(1);
  sent[0]?.answer(base(2, 'ab'));
  await settled();
  expect(sent[1]).toMatchObject({ text: 'abc', base: { seq: 2, text: 'ab' } });
  sent[1]?.answer(base(3, 'abc'));
  await expect(second).resolves.toBe(true);
});

test('typing continues during a save and is unsaved afterwards', async () => {
  const { sent, saving, type, settled } = open('a');
  type('ab');
  const done = saving.save();
  type('abc');
  sent[0]?.answer(base(2, 'theirs ab'));
  await settled();
  await expect(done).resolves.toBe(false);
  expect(saving.get()).toBe('unsaved');
});

test('nothing is sent when nothing has changed', async () => {
  const { sent, saving } = open('a');
  await expect(saving.save()).resolves.toBe(true);
  expect(sent).toEqual([]);
});

test('saving again sends a waiting save now', async () => {
  const { page, saving, type } = open('a');
  type('ab');
  void saving.save();
  expect(page.hurried).toBe(0);
  void saving.save();
  expect(page.hurried).toBe(1);
});

test('a refused text is unsaved, and not sent again automatically', async () => {
  const { page, sent, saving, type, settled } = open('a');
  type('ab');
  const done = saving.save();
  expect(saving.unsent()).toBe(false);
  sent[0]?.fail();
  await expect(done).resolves.toBe(false);
  await settled();
  expect(saving.get()).toBe('unsaved');
  expect(saving.unsent()).toBe(true);
  expect(page.refusals).toBe(1);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toHaveLength(1);
});

test('an answer is merged over the rows by the ids that they had when they were sent', async () => {
  const { page, sent, saving, type, settled } = open('a');
  type('ab');
  page.ids = ['?1'];
  void saving.save();
  page.ids = ['?1', '?2'];
  sent[0]?.answer(base(2, 'ab'));
  await settled();
  expect(page.baseIds).toEqual([['?1']]);
});

test('an editor that closes hands over the text typed during a save', () => {
  const { sent, saving, type } = open('a');
  type('ab');
  void saving.save();
  saving.handOver();
  expect(sent).toHaveLength(1);
  type('abc');
  saving.handOver();
  expect(sent[1]).toMatchObject({ text: 'abc', base: { seq: 1, text: 'ab' } });
});

test('the draft of an editor that has handed over its text says that it is sent, whatever the answer to the save is', async () => {
  const { page, sent, saving, type, settled } = open('a');
  type('ab');
  void saving.save();
  type('abc');
  saving.handOver();
  expect(page.keptSent.at(-1)).toBe('abc');
  sent[0]?.answer(base(2, 'ab'));
  await settled();
  expect([page.kept.at(-1), page.keptSent.at(-1)]).toEqual(['abc', 'abc']);
});

test('an unsaved text is stored as a draft after a pause, and its draft is deleted when it is saved', async () => {
  const { page, sent, saving, type, settled } = open('a');
  type('ab');
  expect(page.kept).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(page.kept).toEqual(['ab']);
  void saving.save();
  expect(page.keptSent).toEqual([undefined, 'ab']);
  sent[0]?.answer(base(2, 'ab'));
  await settled();
  expect(page.kept).toEqual(['ab', 'ab', undefined]);
});

test('typing without a pause is stored, too', async () => {
  const { page, type } = open('a');
  for (const text of ['ab', 'abc', 'abcd', 'abcde']) {
    type(text);
    await vi.advanceTimersByTimeAsync(150);
  }
  expect(page.kept).toEqual(['abc', 'abcde']);
});

test('an unsaved text is stored as a draft at once when the page is hidden, but not after it was discarded', () => {
  const { page, saving, type } = open('a');
  type('ab');
  saving.flush();
  expect(page.kept).toEqual(['ab']);
  type('abc');
  saving.discard();
  saving.flush();
  expect(page.kept).toEqual(['ab', undefined]);
});

test("another user's text enters and is the new base", async () => {
  const { page, sent, saving, type } = open('a');
  await saving.rebase(base(2, 'b'));
  expect(page.text).toBe('b');
  expect(saving.get()).toBe('saved');
  type('b!');
  void saving.save();
  expect(sent[0]?.base).toEqual(base(2, 'b'));
});

test('an older revision changes nothing', async () => {
  const { page, sent, saving, type, settled } = open('a');
  type('ab');
  void saving.save();
  sent[0]?.answer(base(3, 'ab'));
  await settled();
  await saving.rebase(base(2, 'a'));
  expect(page.text).toBe('ab');
});

test('an optimistic change enters too, and is reverted when it is refused', async () => {
  const { page, saving } = open('a');
  await saving.rebase(base(1, 'a ticked'));
  expect(page.text).toBe('a ticked');
  await saving.rebase(base(1, 'a'));
  expect(page.text).toBe('a');
  expect(saving.get()).toBe('saved');
});

test.each([
  ['older and newer ones', [base(2, 'b'), base(3, 'c'), base(2, 'b')], ['a to b', 'b to c']],
  ['one that takes back what the one before it brought', [base(2, 'b'), base(3, 'a')], ['a to b', 'b to a']],
])('versions that come in while a text is composed enter one over the other: %s', async (_, versions, expected) => {
  const received: string[] = [];
  let text = 'a';
  let applied = Promise.resolve();
  const ends: (() => void)[] = [];
  const composition = new Promise<void>(resolve => ends.push(resolve));
  const saving = createSaving<{ base: Base }>({
    base: base(1, 'a'),
    text: () => text,
    content: () => ({ text }),
    rowIds: () => [],
    send: () => new Promise(() => undefined),
    receive: take => {
      applied = Promise.all([applied, composition]).then(() => {
        const change = take();
        if (!change) return;
        received.push(`${change.base.text} to ${change.text}`);
        text = change.text;
      });
      return applied;
    },
    keepDraft: () => undefined,
    sendNow: () => undefined,
    stored: () => undefined,
    refused: () => undefined,
  });
  const merged = versions.map(version => saving.rebase(version));
  ends.shift()?.();
  await Promise.all(merged);
  expect(received).toEqual(expected);
  expect(saving.base()).toEqual(base(3, received.at(-1)?.at(-1) ?? ''));
});

test('a version that is newer than the answer enters after the save', async () => {
  const { page, sent, saving, type, settled } = open('a');
  type('ab');
  void saving.save();
  await settled();
  await saving.rebase(base(3, 'ab, theirs'));
  expect(page.text).toBe('ab');
  sent[0]?.answer(base(2, 'ab'));
  await settled();
  expect(page.text).toBe('ab, theirs');
  expect(saving.base()).toEqual(base(3, 'ab, theirs'));
});

test('of two versions of one number, the one that was loaded first does not take the place of the other', async () => {
  let text = 'a';
  let applied = Promise.resolve();
  let composition: Promise<void> = Promise.resolve();
  const answers: ((answer: { base: Base }) => void)[] = [];
  const saving = createSaving<{ base: Base }>({
    base: base(1, 'a'),
    text: () => text,
    content: () => ({ text }),
    rowIds: () => [],
    send: () => new Promise(resolve => answers.push(resolve)),
    receive: take => {
      const before = applied;
      const apply = async () => {
        await before;
        for (const wait of [composition, ...Array.from({ length: 10 }, () => Promise.resolve())]) await wait;
        text = take()?.text ?? text;
      };
      applied = apply();
      return applied;
    },
    keepDraft: () => undefined,
    sendNow: () => undefined,
    stored: () => undefined,
    refused: () => undefined,
  });
  text = 'ab';
  const saved = saving.save();
  await saving.rebase(base(3, 'ab, c'));
  const ends: (() => void)[] = [];
  composition = new Promise<void>(resolve => ends.push(resolve));
  answers[0]?.({ base: base(2, 'ab') });
  await vi.advanceTimersByTimeAsync(0);
  const second = saving.rebase(base(3, 'ab, c, own change'));
  ends.shift()?.();
  await Promise.all([saved, second]);
  await vi.advanceTimersByTimeAsync(0);
  expect(text).toBe('ab, c, own change');
  expect(saving.base()).toEqual(base(3, 'ab, c, own change'));
});

test('a version that could not be shown is no base of the text', async () => {
  const { page, sent, saving, type, settled } = open('a');
  page.isBroken = true;
  await expect(saving.rebase(base(2, 'theirs'))).rejects.toThrow('Not shown.');
  expect(saving.base()).toEqual(base(1, 'a'));
  type('ab');
  void saving.save();
  await settled();
  sent[0]?.answer(base(3, 'ab, theirs'));
  await settled();
  expect([saving.base(), saving.get(), page.refusals]).toEqual([base(1, 'a'), 'unsaved', 1]);
});
