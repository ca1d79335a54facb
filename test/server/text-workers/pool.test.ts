import { expect, test } from 'vitest';
import { calledChange } from '../../../src/server/automation/actions.ts';
import { countedItems } from '../../../src/server/templates/text-tasks.ts';
import { createTextWorkers, type TextWorkersOptions } from '../../../src/server/text-workers/pool.ts';
import { MAX_CHARACTERS_HERE, textTask } from '../../../src/server/text-workers/task.ts';
import { tasks } from '../../../src/server/text-workers/tasks.ts';
import { threadProgram } from '../support/text-workers.ts';
import { traps } from './trapped-entry.ts';

const owner = { tenant: { id: 'site' }, account: 'ana' };
const long = `- a\n${'- of many rows\n'.repeat(1_000)}`;
const countOf = (word: string) => [{ text: `- ${word}\n${long}` }];

/** Workers that may misbehave, and the causes of ended tasks. */
function trapped(options: TextWorkersOptions = {}) {
  const causes: unknown[] = [];
  const workers = createTextWorkers({
    entry: threadProgram('trapped-entry'),
    threads: 1,
    onError: cause => causes.push(cause),
    ...options,
  });
  return { workers, causes, run: workers.of(owner).run };
}

test('a small task is computed at once, and starts no thread', async () => {
  const { workers, run } = trapped({ entry: new URL('file:///no/such/program.ts') });
  const small = textTask({ name: 'unlisted', run: (text: string) => text.length, charactersOf: text => text.length });
  expect(await run(small, 'x'.repeat(MAX_CHARACTERS_HERE))).toBe(MAX_CHARACTERS_HERE);
  await workers.close();
});

test('a large task is computed as it is here, and may refuse its input', async () => {
  const { workers, run } = trapped();
  expect(await run(countedItems, countOf('item'))).toEqual(countedItems.run(countOf('item')));
  const call = { action: 'addItems', issue: '1', text: '- b', section: 'No such' } as const;
  const called = run(calledChange, { text: long, statuses: [], call, template: undefined });
  await expect(called).rejects.toMatchObject({ name: 'Refused', code: 'NOT_FOUND', field: 'section' });
  await workers.close();
});

test.each([
  ['that never ends', traps.endless, { timeLimitMs: 1_000 }, 'AbortError'],
  ['that ends its thread', traps.killed, {}, 'Error'],
  ['that fills the memory', traps.greedy, { memoryLimitMb: 64 }, 'ERR_WORKER_OUT_OF_MEMORY'],
])('a task %s is ended, and others go on', async (_name, word, limits, cause) => {
  const { workers, causes, run } = trapped(limits);
  const ended = run(countedItems, countOf(word));
  const next = run(countedItems, countOf('next'));
  await expect(ended).rejects.toMatchObject({ name: 'Overloaded', reset: expect.any(Number), isUntried: false });
  expect(await next).toEqual(countedItems.run(countOf('next')));
  expect(causes).toEqual([expect.objectContaining({ name: 'Overloaded', cause: expect.any(Error) })]);
  const [{ cause: found }] = causes as [{ cause: Error & { code?: string } }];
  expect([found.name, found.code]).toContain(cause);
  await workers.close();
});

test('input that is no plain data is a mistake, and not the load', async () => {
  const { workers, run } = trapped();
  const task = textTask({ name: 'unlisted', run: (input: () => void) => input, charactersOf: () => 1_000_000 });
  await expect(run(task, () => {})).rejects.toMatchObject({ name: 'DataCloneError' });
  await workers.close();
});

test('a process that stops ends its tasks, and takes no more', async () => {
  const { workers, causes, run } = trapped({ timeLimitMs: 60_000 });
  await run(countedItems, countOf('first'));
  const running = run(countedItems, countOf(traps.endless));
  const waiting = run(countedItems, countOf('waiting'));
  const settled = Promise.allSettled([running, waiting]);
  await workers.close();
  for (const { status } of await settled) expect(status).toBe('rejected');
  await expect(run(countedItems, countOf('late'))).rejects.toMatchObject({ name: 'Overloaded' });
  expect(causes).toEqual([]);
});

test('work whose size shows within begins again in a turn', async () => {
  const turns: string[] = [];
  const { workers } = trapped({ ended: ({ account }) => turns.push(account) });
  const { inTurnIfLarge } = workers.of(owner);
  let begun = 0;
  const work = (text: string) =>
    inTurnIfLarge(async run => {
      begun += 1;
      return run(countedItems, [{ text }]);
    });
  expect([await work('- a'), begun, turns]).toEqual([[1], 1, []]);
  expect([await work(long), begun, turns]).toEqual([[1_001], 3, ['ana']]);
  await workers.close();
});

test('each task has a name of its own', () => {
  expect(tasks.size).toBeGreaterThan(10);
  for (const [name, task] of tasks) expect(task.name).toBe(name);
});
