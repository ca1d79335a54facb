import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Run } from '../../../src/server/common/mutex.ts';
import { eachInTurn, inTurnIfLarge, LARGE } from '../../../src/server/common/text-turns.ts';
import type { Sliced } from '../../../src/text/sliced.ts';

/** Turns of one tenant, and what happened in and between them. */
function recorded() {
  const log: string[] = [];
  const inTurn: Run = async (_owner, work) => {
    log.push('turn');
    const value = await work();
    log.push('end');
    return value;
  };
  function* read(text: string): Sliced<number> {
    log.push(`read ${text.length}`);
    yield;
    return text.length;
  }
  return { log, turns: { inTurn, owner: { tenant: { id: 'site' }, account: '' } }, read };
}
const textOf = (text: string) => text;
const texts = (...lengths: number[]) => lengths.map(length => 'x'.repeat(length));

test('long texts have a turn each, short ones share one, in their order', async () => {
  const { log, turns, read } = recorded();
  expect(await eachInTurn(turns, texts(40_000, 30_000, 2_000, 500, 1_000), textOf, read)).toEqual([
    40_000, 30_000, 2_000, 500, 1_000,
  ]);
  expect(log.join(' ')).toBe('turn read 40000 end turn read 30000 read 2000 read 500 end turn read 1000 end');
});

test('little work takes no turn', async () => {
  const { log, turns, read } = recorded();
  expect(await eachInTurn(turns, texts(LARGE - 1, 1), textOf, read)).toEqual([LARGE - 1, 1]);
  expect(await eachInTurn(turns, [], textOf, read)).toEqual([]);
  expect(await inTurnIfLarge(turns, LARGE, () => read('a'))).toBe(1);
  expect(log).not.toContain('turn');
  await inTurnIfLarge(turns, LARGE + 1, () => read('a'));
  expect(log).toContain('turn');
});

test('others run between two slices of one turn', async () => {
  const { log, turns } = recorded();
  function* long(text: string): Sliced<string> {
    for (const from = performance.now(); performance.now() - from < 15; );
    log.push(text);
    yield;
    return text;
  }
  const done = eachInTurn(turns, ['a', 'b', 'c'], textOf, long);
  await turn();
  log.push('other');
  expect(await done).toEqual(['a', 'b', 'c']);
  expect(log.indexOf('other')).toBeLessThan(log.indexOf('c'));
});

test('the first failure arrives, and ends the work', async () => {
  const { log, turns } = recorded();
  function* failing(text: string): Sliced<void> {
    log.push(text);
    yield;
    if (text === 'b') throw new Error('failed');
  }
  await expect(eachInTurn(turns, ['a', 'b', 'c'], textOf, failing)).rejects.toThrow('failed');
  expect(log).toEqual(['a', 'b']);
});
