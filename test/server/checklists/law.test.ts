import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createChecklists } from '../../../src/server/checklists/service/checklists.ts';
import type {
  ChangeBase,
  ChecklistReading,
  Checklists,
  ChecklistView,
} from '../../../src/server/checklists/service/types.ts';
import { Refused } from '../../../src/server/errors/refused.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { hashText } from '../../../src/server/text-workers/hash.ts';
import { createTextWorkers } from '../../../src/server/text-workers/pool.ts';
import { runs } from '../../run/seed.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue } from '../support/checklists.ts';
import { unlimited } from '../support/quota.ts';
import { onStore } from '../support/stores.ts';
import { threadProgram } from '../support/text-workers.ts';
import { type Fault, OWN_FIELD } from '../support/tracker.ts';

/** Behaviour of the tracker for one write of the property. */
const behaviours = ['works', 'works', 'works', 'lost', 'answer lost', 'busy', 'fails'] as const;
type Behaviour = (typeof behaviours)[number];

/** Retry-After of a busy tracker, in milliseconds. */
const BUSY = 60_000;
const tooManyWrites = { 'ratelimit-reason': 'jira-per-issue-on-write', 'retry-after': String(BUSY / 1_000) };
const step = fc.record({
  /** Base of the change: the last text seen, the first one, or a text unknown to the server. */
  base: fc.constantFrom('last', 'last', 'first', 'unknown'),
  /** Number of concurrent sends, alternating between the processes, as after a reload of the outbox. */
  times: fc.integer({ min: 1, max: 3 }),
  /** Whether the jobs run afterwards, as far as the tracker allows. */
  works: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const plan = fc.record({
  /** Items added by each client in sequence. */
  clients: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  writes: fc.array(fc.constantFrom(...behaviours), { maxLength: 12 }),
  /** Whether the queue is lost at the end, with its pending jobs. */
  loses: fc.boolean(),
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
      refresh: async () => {},
      queue: it.background,
      onError: () => {},
      watch: it.watch,
      workers: createTextWorkers({ entry: threadProgram('entry') }),
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

  /** Sends a change until it is acknowledged, with the base's text where it is requested. */
  async function deliver(checklists: Checklists, issueId: string, clientId: string, base: ChangeBase, text: string) {
    const known: ChangeBase = { epoch: base.epoch, seq: base.seq, hash: base.hash };
    try {
      return await checklists.change({ issueId, clientId, base: known, edit: add(text) });
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'BASE_UNKNOWN')) throw error;
      return checklists.change({ issueId, clientId, base, edit: add(text) });
    }
  }

  /** Base of a step; an unknown one contains an additional row. */
  function baseOf({ base }: Step, first: ChecklistReading, last: ChecklistView): ChangeBase {
    if (base === 'first') return first;
    if (base === 'last') return last;
    const text = `${last.text}- of another database\n`;
    return { epoch: 'before', seq: last.seq + 1, hash: hashText(text), text };
  }

  test('no acknowledged change is lost or applied twice, whatever the tracker does', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ clients, writes, loses }) => {
        const issue = await newIssue(it, EDITOR);
        const open = async (client: number) => {
          const account = `client-${client}`;
          it.tracker.granted.set(account, EDITOR);
          const each = await Promise.all(processes.map(process => process(account)));
          const [own] = each.slice(client % each.length);
          if (!own) throw new Error('No process.');
          return { each, first: await own.read(issue.id) };
        };
        const opened = await Promise.all(
          clients.map(async (steps, client) => ({ steps, client, ...(await open(client)) })),
        );
        it.tracker.faults = [misbehave(writes)];
        const work = opened.map(async ({ steps, client, each, first }) => {
          let last: ChecklistView = first;
          const names = steps.map((_, index) => `item-${client}-${index}`);
          for (const [index, step] of steps.entries()) {
            const name = names[index] ?? '';
            const base = baseOf(step, first, last);
            const sent = Array.from({ length: step.times }, async (_, time) => {
              const checklists = each[(client + time) % each.length];
              if (!checklists) throw new Error('No process.');
              // Client ids are scoped to the account: all clients use the same ones.
              return deliver(checklists, issue.id, `change-${index}`, base, name);
            });
            const [outcome, ...others] = await Promise.all(sent);
            if (!outcome) throw new Error('Not sent.');
            for (const other of others) expect(other).toEqual(outcome);
            last = outcome.checklist;
            expect(last.text.split('\n')).toContain(`- ${name}`);
            if (!step.works) continue;
            it.elapse(BUSY);
            await it.background.work(it.jobs);
          }
          return names.map(name => `- ${name}`);
        });
        const expected = (await Promise.all(work)).flat();
        it.tracker.faults = [];
        it.elapse(BUSY);
        if (loses) {
          it.background.lose();
          await it.sync.recover();
        }

        const lines = (await issue.text()).trim().split('\n');
        expect(lines).toHaveLength(expected.length);
        expect(new Set(lines)).toEqual(new Set(expected));
        expect(it.tracker.issues.get(issue.id)?.fields[OWN_FIELD]).toBe(await issue.text());
        const { id, read } = issue;
        const { epoch, seq, text } = await read();
        expect(await issue.stored()).toMatchObject({ epoch, seq, text });
        const steps = await use().raw('select seq from revision where issue = $1 order by created', [id]);
        expect(steps.map(step => step.seq)).toEqual(expected.map((_, index) => index + 1));
        const isOpen = 'pending_seq is not null or property_wanted or field_wanted';
        expect(await use().raw(`select 1 from sync where issue = $1 and (${isOpen})`, [id])).toEqual([]);
      }),
      runs(60),
    );
  });
});
