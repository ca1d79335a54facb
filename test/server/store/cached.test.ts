import { expect, test } from 'vitest';
import { cached } from '../../../src/server/store/cached.ts';

interface State {
  time: number;
  asked: number;
  isAway: boolean;
  next?: () => undefined;
}

/** Answers 1, 2, 3 …, and fails while it is away. */
function numbers(ttl: (value: number | undefined) => number | undefined = () => 100) {
  const state: State = { time: 1_000, asked: 0, isAway: false };
  const known = cached<number | undefined>({ max: 2, ttl, now: () => state.time });
  const get = (key = 'a') =>
    known.get(key, async () => {
      state.asked += 1;
      const number = state.asked;
      await Promise.resolve();
      if (state.isAway) throw new Error('away');
      return state.next ? state.next() : number;
    });
  return { state, known, get };
}

test('an answer is asked for once by all who wait, and again after its time', async () => {
  const { state, known, get } = numbers();
  expect(known.peek('a')).toBeUndefined();
  expect(await Promise.all([get(), get(), get('b')])).toEqual([1, 1, 2]);
  state.time += 100;
  expect([await get(), known.peek('a')]).toEqual([1, 1]);
  state.time += 1;
  expect(known.peek('a')).toBeUndefined();
  expect(await get()).toBe(3);
});

test('an answer decides how long it is good: not at all, or for ever', async () => {
  const { state, get } = numbers(value => (value === undefined ? undefined : Number.POSITIVE_INFINITY));
  state.next = () => undefined;
  expect([await get(), await get()]).toEqual([undefined, undefined]);
  expect(state.asked).toBe(2);
  delete state.next;
  expect(await get()).toBe(3);
  state.time += 1e12;
  expect(await get()).toBe(3);
});

test('an error is not remembered, and all who wait get it', async () => {
  const { state, get } = numbers();
  state.isAway = true;
  const failed = await Promise.allSettled([get(), get()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(state.asked).toBe(1);
  state.isAway = false;
  expect(await get()).toBe(2);
});

test('an answer that is forgotten while it is on its way is given, and not remembered', async () => {
  const { state, known, get } = numbers();
  for (const forget of [() => known.delete('a'), () => known.clear()]) {
    const before = state.asked;
    const first = get();
    await Promise.resolve();
    forget();
    const second = get();
    expect([await first, await second]).toEqual([before + 1, before + 2]);
    expect(await get()).toBe(before + 2);
    forget();
  }
});

test('the least recently used answer is forgotten', async () => {
  const { get } = numbers();
  await get('a');
  await get('b');
  await get('a');
  await get('c');
  expect([await get('a'), await get('c')]).toEqual([1, 3]);
  expect(await get('b')).toBe(4);
});

test.each([10, 0])('who asks anew is given the last answer, which was good for %i ms', async ttl => {
  let time = 1_000;
  const known = cached<number>({ max: 2, ttl: () => ttl, now: () => time });
  const asked: (number | undefined)[] = [];
  for (let count = 1; count <= 3; count += 1) {
    await known.get('a', async last => {
      asked.push(last);
      return count;
    });
    time += ttl && ttl + 1;
  }
  expect(asked).toEqual([undefined, 1, 2]);
});
