import { beforeEach, expect, test } from 'vitest';
import { createFieldMoves, movedFields } from '../../../src/server/jobs/field-moves.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { type ForgeApp, newSite, startForge } from '../support/forge.ts';
import { onStore } from '../support/stores.ts';

/** The platform's tasks that move the data of Connect's fields, of a site that has moved to Forge. */
onStore(use => {
  let app: ForgeApp;
  /** The state of each field's task; without one there is no task. A number is the status of a refusal. */
  let states: Record<string, string | number> = {};

  beforeEach(async () => {
    app = await startForge(use());
    states = {};
    // Of the sites of other tests.
    await use().raw('delete from field_move');
    app.forge.past = { key: app.it.tenant.id };
    await app.signIn(newSite());
    app.forge.fault = path => {
      const field = /\/migration\/[^/]+\/([^/]+)\/task$/.exec(path)?.[1];
      const state = field === undefined ? undefined : (states[field] ?? 404);
      if (typeof state === 'number') return new Response('{}', { status: state });
      return state === undefined ? undefined : Response.json({ status: state });
    };
    return () => app.it.app.close();
  });

  const run = { signal: new AbortController().signal, lastTry: false };
  const look = () => app.it.jobs['watch-fields']({ tenant: app.it.tenant.id }, run);
  const passDay = () => use().raw("update field_move set since = since - interval '25 hours'");
  const overdue = async () =>
    Number(/^field_moves_overdue (\d+)$/m.exec(await app.it.metrics.registry.metrics())?.[1] ?? Number.NaN);
  /** Milliseconds until the next look, if there is one. */
  async function nextLook(): Promise<number | undefined> {
    let wait: number | undefined;
    const { tenants } = app.it;
    const moves = createFieldMoves({
      ...{ store: use().store, tenants, onError: error => expect.fail(String(error)) },
      metrics: createMetrics(),
      queue: {
        restore: async (_name, _data, { after }) => {
          wait = after;
        },
      },
      trackerOf: () => expect.fail('No call is made.'),
    });
    await moves.recover();
    return wait;
  }

  const all = (state: string | number) => Object.fromEntries(movedFields.map(field => [field, state]));

  test('an unfinished task is overdue after a day, until it is complete', async () => {
    states = { ...all('COMPLETE'), 'checklist-text': 'RUNNING' };
    await look();
    expect(await overdue()).toBe(0);
    await passDay();
    await look();
    expect(await overdue()).toBe(1);
    expect(await nextLook()).toBeGreaterThan(5 * 60 * 60_000);
    states = all('COMPLETE');
    await look();
    expect(await overdue()).toBe(0);
    expect(await nextLook()).toBeUndefined();
  });

  test.each(['FAILED', 'DEAD', 'CANCELLED'])(
    'a task that is %s is overdue at once, and has its time when started again',
    async state => {
      states = all(state);
      await look();
      expect(await overdue()).toBe(movedFields.length);
      await passDay();
      states = all('ENQUEUED');
      await look();
      expect(await overdue()).toBe(0);
    },
  );

  test('without a task nothing is overdue, and the site is looked at again', async () => {
    await look();
    await passDay();
    expect(await overdue()).toBe(0);
    expect(await nextLook()).toBeGreaterThan(0);
  });

  test.each([403, 400])('an answer of %d is overdue after a day', async status => {
    states = all(status);
    await look();
    expect(await overdue()).toBe(0);
    await passDay();
    expect(await overdue()).toBe(movedFields.length);
  });
});
