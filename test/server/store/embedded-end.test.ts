import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../src/server/errors/unavailable.ts';
import { openStore } from '../../../src/server/store/open.ts';
import { embeddedFolder } from '../support/embedded-folder.ts';

/** As PGlite reports a commit that cannot be logged for want of room. */
const ended = Object.assign(new Error('could not write to file "pg_wal/xlogtemp.42": No space left on device'), {
  severity: 'PANIC',
  code: '53100',
});
const full = Object.assign(new Error('could not extend file "base/5/16502": No space left on device'), {
  severity: 'ERROR',
  code: '53100',
});

/** A store on an embedded database, and how the next statement of the database fails. */
async function open() {
  const { folder, remove } = await embeddedFolder();
  onTestFinished(remove);
  const create = vi.spyOn(PGlite, 'create');
  let failure: Error | undefined;
  let sent = 0;
  const { execProtocolStream } = PGlite.prototype;
  const send = vi.spyOn(PGlite.prototype, 'execProtocolStream').mockImplementation(async function (
    this: PGlite,
    ...message
  ) {
    sent += 1;
    if (failure) throw failure;
    return execProtocolStream.apply(this, message);
  });
  onTestFinished(() => void send.mockRestore());
  const [onEnd, failureLog] = [vi.fn(), { failed: vi.fn(), worked: vi.fn() }];
  const store = await openStore({ databaseUrl: undefined, folder, onError: vi.fn(), onEnd, failureLog });
  const pglite: PGlite = await create.mock.results[0]?.value;
  create.mockRestore();
  return {
    ...{ store, pglite, onEnd, failureLog },
    failing(error: Error | undefined) {
      failure = error;
    },
    sent: () => sent,
  };
}

const change = (store: Awaited<ReturnType<typeof open>>['store']) => store.tenant('t', tx => sql`select 1`.execute(tx));

test('a full disk refuses a change, and the next one works once there is room', async () => {
  const { store, failing, onEnd, failureLog } = await open();
  failureLog.worked.mockClear();
  failing(full);
  await expect(change(store)).rejects.toThrow(StoreUnavailable);
  expect(failureLog.failed).toHaveBeenCalledWith(expect.objectContaining({ message: full.message }));
  expect(failureLog.worked).not.toHaveBeenCalled();
  failing(undefined);
  await change(store);
  expect(failureLog.worked).toHaveBeenCalled();
  expect(onEnd).not.toHaveBeenCalled();
  await store.close();
});

test('a database that has ended itself gets no further statement, which would never return; the store closes', async () => {
  const { store, pglite, failing, sent, onEnd } = await open();
  failing(ended);
  await expect(change(store)).rejects.toThrow(StoreUnavailable);
  const before = sent();
  failing(undefined);
  await expect(change(store)).rejects.toThrow(StoreUnavailable);
  await expect(store.ping()).rejects.toThrow(StoreUnavailable);
  await store.close();
  expect(sent()).toBe(before);
  expect(onEnd.mock.calls).toEqual([[ended]]);
  await pglite.close();
});
