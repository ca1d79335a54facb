import { CompletionContext } from '@codemirror/autocomplete';
import { afterEach, expect, test, vi } from 'vitest';
import type { Person } from '../../../src/domain/person.ts';
import { people, recentPeople } from '../../../src/editor/complete/people.ts';
import { provider } from '../../../src/editor/provider.ts';
import { stateOf } from '../fixture.ts';
import { chosen, fakeProvider, labels, offered, pictureOf, readOnly, refusals } from './offers.ts';

afterEach(() => vi.useRealTimers());

const person = (accountId: string, name: string): Person => ({ accountId, name, avatar: `https://a.example/${name}` });
const emma = person('a1:b-2', 'Emma Richards');
const emil = person('a3', 'Emil Sato');
const asking = (found: readonly Person[] | (() => Promise<readonly Person[]>)) => {
  const findPeople = vi.fn(typeof found === 'function' ? found : async () => found);
  return { findPeople, provider: fakeProvider({ findPeople }) };
};

test.each([
  ['- @em|', 'em'],
  ['@|', ''],
  ['- (@Ém|', 'Ém'],
  ['# With @emma r|', 'emma r'],
  ["- a\n> ask @o'ne|", "o'ne"],
  ['- 请@张|', '张'],
  ['- 交给@an|', 'an'],
  ['- 担当者は@田|', '田'],
  ['- 담당자@홍|', '홍'],
  ['- ถึง@สมชาย|', 'สมชาย'],
])('people are looked for in %j by %j, in the order of the answer', async (text, query) => {
  const { findPeople, provider } = asking([emma, emil]);
  const result = await offered(people, text, { provider });
  expect(labels(result)).toEqual(['Emma Richards', 'Emil Sato']);
  expect(findPeople.mock.calls).toMatchObject([[query, expect.any(AbortSignal)]]);
  expect(pictureOf(result?.options[0])).toEqual({ kind: 'avatar', address: emma.avatar, name: emma.name });
});

test.each([...refusals('@em'), '- a@em|', '- @em |', '- @em rich ards|', '- @em|ma', '- @-|', '- em|', '- ://@em|'])(
  'no users are requested for %j',
  async text => {
    const { findPeople, provider } = asking([emma]);
    expect(await offered(people, text, { provider })).toBeNull();
    expect(findPeople).not.toHaveBeenCalled();
  },
);

test('a read-only text requests no users', async () => {
  const { findPeople, provider } = asking([emma]);
  expect(await offered(people, '- @em|', { provider, extensions: readOnly })).toBeNull();
  expect(findPeople).not.toHaveBeenCalled();
});

test('a choice writes the mention of the tracker', async () => {
  const { provider } = asking([emma]);
  expect(await chosen(people, '- Ask @em|', 'Emma Richards', { provider })).toBe('- Ask [~accountid:a1:b-2] |');
  expect(await chosen(people, '- Ask @em|, now', 'Emma Richards', { provider })).toBe(
    '- Ask [~accountid:a1:b-2]|, now',
  );
});

test('at most ten are offered, and none whose id no mention can hold', async () => {
  const many = Array.from({ length: 12 }, (_, index) => person(`id${index}`, `P ${index}`));
  expect(labels(await offered(people, '@p|', asking(many)))).toHaveLength(10);
  const odd = [person('a]b', 'One'), person('', 'Two'), person('x'.repeat(129), 'Three'), person('ok', 'Four')];
  expect(labels(await offered(people, '@o|', asking(odd)))).toEqual(['Four']);
});

test('answers are cached by query', async () => {
  const { findPeople, provider } = asking([emma]);
  await offered(people, '@em|', { provider });
  await offered(people, '@emm|', { provider });
  expect(labels(await offered(people, '- and @em|', { provider }))).toEqual(['Emma Richards']);
  expect(findPeople).toHaveBeenCalledTimes(2);
});

test.each<[string, () => Promise<readonly Person[]>]>([
  ['fails', () => Promise.reject(new Error('Oh.'))],
  [
    'throws',
    () => {
      throw new Error('Oh.');
    },
  ],
  ['answers with no users', async () => []],
])('nothing is offered, and nothing breaks, when the provider %s', async (_how, find) => {
  const { findPeople, provider } = asking(find);
  expect(await offered(people, '@em|', { provider })).toBeNull();
  findPeople.mockImplementation(async () => [emma]);
  // Failed lookups are repeated, answered ones are not.
  expect(labels(await offered(people, '@emm|', { provider }))).toEqual(['Emma Richards']);
});

test('a hanging provider times out', async () => {
  vi.useFakeTimers();
  let signal: AbortSignal | undefined;
  const provider = fakeProvider({
    findPeople: (_query, given) => {
      signal = given;
      return new Promise(() => undefined);
    },
  });
  const result = offered(people, '@em|', { provider });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await result).toBeNull();
  expect(signal?.aborted).toBe(true);
});

/** A completion context that calls its abort listeners, as the editor does. */
class Aborting extends CompletionContext {
  abort: () => void = () => undefined;
  override addEventListener(_type: 'abort', listener: () => void): void {
    this.abort = listener;
  }
}

test('an aborted lookup is not sent, or its answer not used', async () => {
  vi.useFakeTimers();
  const answers: ((found: readonly Person[]) => void)[] = [];
  const signals: AbortSignal[] = [];
  const given = fakeProvider({
    findPeople: (_query, signal) => {
      signals.push(signal);
      return new Promise(resolve => answers.push(resolve));
    },
  });
  const state = stateOf('@em|', provider.of(given));
  const early = new Aborting(state, 3, false);
  const first = people(early);
  early.abort();
  expect(await first).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(0);

  const aborting = new Aborting(state, 3, false);
  const second = people(aborting);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(1);
  aborting.abort();
  answers[0]?.([emma]);
  expect(await second).toBeNull();
  expect(signals[0]?.aborted).toBe(true);
});

test('after a bare sign people who were picked before come at once, others from the search', async () => {
  const { findPeople, provider: found } = asking([emma, emil]);
  const known = {
    ...found,
    recent: () => [emil.accountId, 'gone'],
    person: (id: string) => (id === 'a3' ? emil : null),
  };
  expect(labels(await offered(recentPeople, '- @|', { provider: known }))).toEqual(['Emil Sato']);
  expect(findPeople).not.toHaveBeenCalled();
  expect(labels(await offered(people, '- @|', { provider: known }))).toEqual(['Emma Richards']);
  expect(await offered(recentPeople, '- @e|', { provider: known })).toBeNull();
  expect(labels(await offered(people, '- @e|', { provider: known }))).toEqual(['Emil Sato', 'Emma Richards']);
});

test('their names are waited for, and without any there is no list', async () => {
  vi.useFakeTimers();
  const people = new Map<string, Person>();
  let notify = () => {};
  const known = fakeProvider({
    recent: () => ['a3'],
    person: id => people.get(id),
    subscribe: listener => {
      notify = listener;
      return () => undefined;
    },
  });
  const result = offered(recentPeople, '- @|', { provider: known });
  people.set('a3', emil);
  notify();
  expect(labels(await result)).toEqual(['Emil Sato']);
  people.clear();
  const unanswered = offered(recentPeople, '- @|', { provider: known });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await unanswered).toBeNull();
});

test('who is picked is remembered', async () => {
  const used = vi.fn();
  const { findPeople } = asking([emma]);
  await chosen(people, '- @em|', 'Emma Richards', { provider: fakeProvider({ findPeople, used }) });
  expect(used).toHaveBeenCalledWith('people', 'a1:b-2');
});
