import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createChecklists } from '../../../src/server/checklists/checklists.ts';
import type { Base, Checklists } from '../../../src/server/checklists/types.ts';
import { createMetrics } from '../../../src/server/http/metrics.ts';
import { Refused } from '../../../src/server/refused.ts';
import { createTrackers } from '../../../src/server/tracker/trackers.ts';
import { runs } from '../../run/seed.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue } from '../support/checklists.ts';
import { createTestQueue } from '../support/queue.ts';
import { unlimited } from '../support/quota.ts';
import { onStore } from '../support/stores.ts';
import type { Fault } from '../support/tracker.ts';

/** What the tracker does with one write of the property. */
const behaviours = ['works', 'works', 'works', 'lost', 'answer lost', 'busy', 'fails'] as const;
type Behaviour = (typeof behaviours)[number];

/** Milliseconds for which a busy tracker asks to be left alone. */
const BUSY = 60_000;
const tooManyWrites = { 'ratelimit-reason': 'jira-per-issue-on-write', 'retry-after': String(BUSY / 1_000) };
const plan = fc.record({
  /** Items added by each client, one after the other. */
  clients: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  writes: fc.array(fc.constantFrom(...behaviours), { maxLength: 12 }),
});

onStore(use => {
  let it: TestApp;
  let processes: ((account: string) => Promise<Checklists>)[];
  beforeAll(async () => {
    const { store, second } = use();
    it = await startApp(store);
    const metrics = createMetrics();
    const other = createChecklists({
      store: (await second?.()) ?? store,
      tenants: it.tenants,
      metrics,
      queue: createTestQueue(),
      onError: () => {},
      trackerOf: createTrackers({ metrics, quota: unlimited, send: it.tracker.fetch, sleep: async () => {} }),
    });
    processes = [it.checklists, other].map(service => async account => {
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      return service.of({ tenant, account });
    });
    return () => it.app.close();
  });

  function misbehave(writes: readonly Behaviour[]): Fault {
    const left = [...writes];
    return ({ method, path, body }) => {
      const [, id = '', key = ''] = /issue\/(\d+)\/properties\/(.+)$/.exec(path) ?? [];
      if (method !== 'PUT' || !key) return undefined;
      const behaviour = left.shift();
      const properties = it.tracker.issues.get(id)?.properties;
      if (behaviour === 'answer lost' && properties) properties[decodeURIComponent(key)] = structuredClone(body);
      if (behaviour === 'lost' || behaviour === 'answer lost') return 'down';
      if (behaviour === 'busy') return new Response(null, { status: 429, headers: tooManyWrites });
      return behaviour === 'fails' ? new Response(null, { status: 500 }) : undefined;
    };
  }

  /** Sends a change until it is acknowledged, as an outbox does; with its base's text when it is asked for. */
  async function deliver(checklists: Checklists, issueId: string, clientId: string, base: Base, text: string) {
    let sent: Base = { epoch: base.epoch, seq: base.seq, hash: base.hash };
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        return await checklists.change({ issueId, clientId, base: sent, edit: add(text) });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === 'BASE_UNKNOWN') sent = base;
        else if (error.code !== 'TRACKER_UNAVAILABLE') throw error;
        else it.elapse(BUSY);
      }
    }
    throw new Error('Never acknowledged.');
  }

  test('no acknowledged change is lost, none is made twice, whatever the tracker does', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ clients, writes }) => {
        const issue = await newIssue(it, EDITOR);
        const open = async (client: number) => {
          const account = `client-${client}`;
          it.tracker.granted.set(account, EDITOR);
          const checklists = await processes[client % processes.length]?.(account);
          if (!checklists) throw new Error('No process.');
          return { checklists, start: await checklists.read(issue.id) };
        };
        const opened = await Promise.all(
          clients.map(async (count, client) => ({ count, client, ...(await open(client)) })),
        );
        it.tracker.faults = [misbehave(writes)];
        const work = opened.map(async ({ count, client, checklists, start }) => {
          let base: Base = start;
          for (let step = 0; step < count; step += 1) {
            const name = `item-${client}-${step}`;
            base = (await deliver(checklists, issue.id, name, base, name)).checklist;
          }
          return Array.from({ length: count }, (_, step) => `- item-${client}-${step}`);
        });
        const expected = (await Promise.all(work)).flat();
        const lines = issue.text().trim().split('\n');
        expect(lines).toHaveLength(expected.length);
        expect(new Set(lines)).toEqual(new Set(expected));
        const [intents] = await use().raw('select count(*)::int as open from intent where issue = $1', [issue.id]);
        expect(intents).toEqual({ open: 0 });
      }),
      runs(15),
    );
  });
});
