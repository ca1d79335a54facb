import { beforeEach, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { createFailureLog, type FailureLog } from '../../../src/server/monitoring/failure-log.ts';

let now = 0;
const log = { error: vi.fn(), info: vi.fn() };
let failureLog: FailureLog;
beforeEach(() => {
  vi.resetAllMocks();
  now = 1_000_000;
  failureLog = createFailureLog(log, () => now);
});

const full = (file: string) =>
  new StoreUnavailable(Object.assign(new Error(`could not extend file "${file}": No space left`), { code: '53100' }));
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('a full disk is one line, whatever the number of failures, and one when there is room again', () => {
  for (let count = 0; count < 200; count += 1) {
    expect(failureLog.failed(full(`base/5/${count}`))).toBe(true);
    // Readings go on.
    failureLog.worked();
    now += 100;
  }
  const line = { code: '53100', reason: 'could not extend file "base/5/0": No space left' };
  expect(log.error.mock.calls).toEqual([[line, 'the database fails']]);
  expect(log.info).not.toHaveBeenCalled();
  now += 30_000;
  failureLog.worked();
  failureLog.worked();
  expect(log.info.mock.calls).toEqual([[{ seconds: 20, failures: 200 }, 'the database works again']]);
  failureLog.failed(full('base/5/1'));
  expect(log.error).toHaveBeenCalledTimes(2);
});

test('each cause has a line of its own, and one a minute while it lasts', () => {
  for (let second = 0; second < 150; second += 1) {
    failureLog.failed(refused());
    failureLog.failed(new StoreUnavailable(new Error('Connection terminated unexpectedly')));
    now += 1_000;
  }
  const CAUSES = ['ECONNREFUSED', 'Connection terminated unexpectedly'];
  const lines = log.error.mock.calls.map(([{ code, reason, times }]) => [code ?? reason, times]);
  expect(lines).toEqual([undefined, 60, 60].flatMap(times => CAUSES.map(cause => [cause, times])));
});

test('an error that several places note counts once; other errors are not its own', () => {
  const error = full('base/5/1');
  expect([failureLog.failed(error), failureLog.failed(error)]).toEqual([true, true]);
  now += 30_000;
  failureLog.worked();
  expect(log.info).toHaveBeenCalledWith({ seconds: 0, failures: 1 }, 'the database works again');
  expect([failureLog.failed(new TypeError('a bug')), failureLog.failed('text')]).toEqual([false, false]);
  expect(log.error).toHaveBeenCalledOnce();
});
