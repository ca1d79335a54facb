import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { provokes } from '../support/left-behind.ts';
import { onStore } from '../support/stores.ts';
import type { Action } from './actions.ts';
import { createWorld, type World } from './world.ts';

// Each test lets all jobs run.
vi.setConfig({ testTimeout: 60_000 });

/** Trackers and databases with undocumented answers. Afterwards all that is stored follows the texts. */
onStore(use => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(use());
    return () => world.close();
  });
  beforeEach(() => world.begin());

  const edits: Action[] = [0, 1, 2].map(at => ({ does: 'edit', at, how: 'status', name: 'QA' }));
  async function mended() {
    expect(await world.idle()).toEqual([]);
    expect(await world.carry()).toEqual([]);
  }

  test('a tracker that answers each call with a refusal of another kind', async () => {
    provokes({ errors: /CopyRefused|Mismatch/, retries: true });
    for (let from = 0; from < 18; from += 3) {
      await world.perform({ does: 'babble', from });
      for (const action of edits) await world.perform(action);
      await world.perform({ does: 'synchronize', scope: 'site', at: 0 });
      await world.perform({ does: 'work' });
      await world.perform({ does: 'sweep' });
      await world.perform({ does: 'work' });
      await world.perform({ does: 'allow' });
    }
    await mended();
  });

  const values: [string, string][] = [
    ['a foreign value', `update sync set property_seen = '[1, {"a": 2}]'`],
    ['cursors of changelogs', `update sync set cursor = 'abc'`],
    ['cursors that are no integers', `update sync set cursor = '1.5'`],
    ['accounts of events', `update sync set actors = array[null, 'mallory'], hints = hints + 1`],
    ['sources of checklists', `update checklist set source = 'HEARSAY'`],
    ['ids of rows', `update revision set rows = '{"a": "b"}'`],
    ['conflicts', `update revision set conflicts = '"none"'`],
    [
      'states of refused copies',
      `update sync set property_wanted = true, field_wanted = true, property_refused = 'whatever', property_tries = -3, field_refused = 'whatever', field_tries = 99`,
    ],
    [
      'refused copies in projects',
      `insert into project_copy (tenant, project, copy, key, refused, due, tries)
        select tenant, '99', 'nonsense', 'XX', 'strange', now(), 5 from tenant where enabled`,
    ],
    ['hashes of statuses', `update registry set print = ''`],
    ['verdicts', `update sync set verdict = 'zz'`],
    ['data of jobs', `update queue set data = '[]'`],
    ['former names of statuses', `update status set former = '7'`],
    ['colors of statuses', `update status set color = 'ultraviolet'`],
    ['the log of a job', `update job set log = '{}'`],
    ['the options of a job', `update job set options = '"all"'`],
    ['numbers of indexes', `update checklist set indexed_seq = -1, items = -5, open = -2`],
  ];

  test.each([
    ['times without an end', `update sync set property_retry = 'infinity'`, 'sync_times'],
    ['counters at their end', `update sync set hints = 2147483647`, 'sync_counts'],
  ])('%s are not stored', async (_name, damage, constraint) => {
    for (const action of edits) await world.perform(action);
    await expect(use().raw(damage)).rejects.toThrow(constraint);
  });

  describe.each(values)('values in the database that cannot be read: %s', (_name, damage) => {
    test('count as unknown', async () => {
      await world.perform({ does: 'createStatus', name: 'QA', checked: false, isOfProject: false });
      for (const action of edits) await world.perform(action);
      await world.perform({ does: 'synchronize', scope: 'site', at: 0 });
      await use().raw(damage);
      await world.perform({ does: 'renameStatus', name: 'QA', to: 'Waiting' });
      for (const action of edits) await world.perform(action);
      await world.perform({ does: 'check', scope: 'site', at: 0 });
      await mended();
    });
  });
});
