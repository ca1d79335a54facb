import { beforeAll, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/server/errors/unavailable.ts';
import { calls } from '../../previous-client/calls.ts';
import type * as Entry from '../../previous-client/entry.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { EDITOR, newIssue, update } from '../../support/checklists.ts';
import { provokes } from '../../support/left-behind.ts';
import { onStore } from '../../support/stores.ts';

const kept = '../../previous-client/kept/client.js';
const { operations }: typeof Entry = await import(/* @vite-ignore */ kept);

/** Made, with a job that starts later: waking the jobs of a site fails for itself. */
const MADE = 'deleteStatus after 3: 200 {"data":{"deleteStatus":{"statuses":[{';

onStore(use => {
  let it: TestApp;
  /** How many accesses to the database still succeed. */
  let remaining = Number.POSITIVE_INFINITY;
  let refusals = 0;
  beforeAll(async () => {
    const { store } = use();
    const unlessAway = <T>(work: () => Promise<T>): Promise<T> => {
      remaining -= 1;
      if (remaining >= 0) return work();
      refusals += 1;
      return Promise.reject(new StoreUnavailable(new Error('away')));
    };
    it = await startApp({
      ...store,
      tenant: (...given) => unlessAway(() => store.tenant(...given)),
      batch: (...given) => unlessAway(() => store.batch(...given)),
      exchange: (...given) => unlessAway(() => store.exchange(...given)),
      sweep: work => unlessAway(() => store.sweep(work)),
    });
    it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS']);
    it.tracker.projects.set('10000', {});
    // The event of a written property would read the database inside of the tracker's answer.
    it.tracker.onProperty = async () => {};
    return () => it.app.close();
  });

  test('an operation during which the database fails is answered with 503, and never as refused', async () => {
    provokes({ errors: /./, answers: [503] });
    const issue = await newIssue(it, [...EDITOR, 'ADMINISTER', 'ADMINISTER_PROJECTS'], 'admin');
    await issue.edit(update('- a'));
    const authorization = `JWT ${await it.session('admin')}`;
    const answers: string[] = [];
    const failed = new Set<string>();
    for (const { name, source } of operations) {
      const { epoch, seq, hash } = await issue.read();
      const variables = calls[name]?.({ issue: issue.id, id: () => 'none', position: { epoch, seq, hash } });
      for (let accesses = 0; ; accesses += 1) {
        [remaining, refusals] = [accesses, 0];
        const { statusCode, body } = await it.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { authorization },
          payload: { query: source, variables },
        });
        remaining = Number.POSITIVE_INFINITY;
        if (refusals === 0) break;
        failed.add(name);
        if (statusCode !== 503) answers.push(`${name} after ${accesses}: ${statusCode} ${body}`);
      }
    }
    expect(failed.size).toBeGreaterThan(50);
    expect(answers.filter(answer => !answer.startsWith(MADE))).toEqual([]);
  });
});
