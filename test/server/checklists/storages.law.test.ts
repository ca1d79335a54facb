import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { parseChecklistProperty, storageKey } from '../../../src/domain/storage.ts';
import { createChecklists } from '../../../src/server/checklists/checklists.ts';
import { sameField } from '../../../src/server/checklists/field.ts';
import type { Base, Checklists } from '../../../src/server/checklists/types.ts';
import { createMetrics } from '../../../src/server/http/metrics.ts';
import { Refused } from '../../../src/server/refused.ts';
import { createTrackers } from '../../../src/server/tracker/trackers.ts';
import { hashText } from '../../../src/text/document.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { add, EDITOR, newIssue, tick, update } from '../support/checklists.ts';
import { unlimited } from '../support/quota.ts';
import { onStore } from '../support/stores.ts';
import { type Fault, OWN_FIELD } from '../support/tracker.ts';

const index = fc.nat({ max: 30 });
/** One of our own changes; on the newest text or on the one that the client saw last. */
const change = fc.record({ client: fc.nat({ max: 2 }), tick: fc.option(index), fresh: fc.boolean() });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('foreign' as const),
      storage: fc.constantFrom('property', 'field'),
      plain: fc.boolean(),
      tick: fc.option(index),
      /** What they read may be older than the last write; then they add, for a tick could as well be the undoing of ours. */
      stale: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('webhook' as const), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('work' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
);
/** What the tracker does with the next writes: all but the first are failures before or after it took them. */
const answers = ['works', 'works', 'works', 'lost', 'answer lost', 'fails', 'busy'] as const;
/** Milliseconds for which a busy tracker asks to be left alone. */
const BUSY = 60_000;
const tooManyWrites = { 'ratelimit-reason': 'jira-per-issue-on-write', 'retry-after': String(BUSY / 1_000) };
const plan = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 12 }),
  writes: fc.array(fc.constantFrom(...answers), { maxLength: 10 }),
});

const START = '- seed one\n- seed two\n- seed three';
const withTick = (text: string, at: number) => {
  const lines = text.split('\n');
  const open = lines.flatMap((line, number) => (line.startsWith('- ') ? number : []));
  const chosen = open[at % Math.max(1, open.length)];
  return chosen === undefined ? text : lines.with(chosen, `+ ${lines[chosen]?.slice(2)}`).join('\n');
};
const sentences = (text: string) => text.split('\n').map(line => line.slice(2).trim());

onStore(use => {
  let it: TestApp;
  let services: ((account: string) => Promise<Checklists>)[];
  beforeAll(async () => {
    const { store, second } = use();
    it = await startApp(store);
    const metrics = createMetrics();
    const other = createChecklists({
      store: (await second?.()) ?? store,
      tenants: it.tenants,
      metrics,
      queue: it.background,
      onError: () => {},
      trackerOf: createTrackers({ metrics, quota: unlimited, send: it.tracker.fetch, sleep: async () => {} }),
    });
    services = [it.checklists, other].map(service => async account => {
      const tenant = await it.tenants.find(it.tenant.id);
      if (!tenant) throw new Error('Not installed.');
      return service.of({ tenant, account });
    });
    return () => it.app.close();
  });

  function misbehave(writes: readonly (typeof answers)[number][]): Fault {
    const left = [...writes];
    return ({ method, path, body }) => {
      if (method !== 'PUT') return undefined;
      const [, id = '', key = ''] = /issue\/(\d+)(?:\/properties\/(.+))?$/.exec(path) ?? [];
      const issue = it.tracker.issues.get(id);
      const answer = left.shift();
      if (answer === 'answer lost' && issue) {
        if (key) issue.properties[decodeURIComponent(key)] = structuredClone(body);
        else Object.assign(issue.fields, z.object({ fields: z.record(z.string(), z.unknown()) }).parse(body).fields);
      }
      if (answer === 'lost' || answer === 'answer lost') return 'down';
      if (answer === 'busy') return new Response(null, { status: 429, headers: tooManyWrites });
      return answer === 'fails' ? new Response(null, { status: 500 }) : undefined;
    };
  }

  /** One issue, everybody who works on it, and what must be true in the end. */
  async function world(writes: readonly (typeof answers)[number][]) {
    const issue = await newIssue(it, EDITOR);
    await issue.edit(update(START));
    await it.settled();
    it.tracker.faults = [misbehave(writes)];
    const held = it.tracker.issues.get(issue.id);
    if (!held) throw new Error('No issue.');
    const property = storageKey('checklist');
    const textOf = (value: unknown) => {
      const stored = parseChecklistProperty(value);
      return 'text' in stored ? stored.text : '';
    };
    const read = {
      property: () => textOf(held.properties[property]),
      field: () => String(held.fields[OWN_FIELD] ?? ''),
    };
    const before = { property: read.property(), field: read.field() };
    const promised = new Set<string>();
    const ticked = new Set<string>();
    const bases: Base[] = [];
    let named = 0;
    /** Names that are far apart, so that none is taken for another one reworded. */
    const nameOf = (origin: string) => {
      named += 1;
      return `${origin} ${createHash('sha256').update(String(named)).digest('hex')}`;
    };

    /** Sends a change until it is acknowledged, as an outbox does. */
    async function deliver({ client, tick: row, fresh }: z.infer<typeof changeShape>) {
      const account = `client-${client}`;
      it.tracker.granted.set(account, EDITOR);
      const checklists = await services[client % services.length]?.(account);
      if (!checklists) throw new Error('No process.');
      let base = bases[client];
      if (fresh || !base) base = await checklists.read(issue.id);
      const clientId = randomUUID();
      const rows = readChecklist(base.text ?? '').rows;
      const target = row === null ? undefined : rows[row % Math.max(1, rows.length)];
      const name = nameOf('ours');
      const edit = target ? tick(rows.indexOf(target), target.text) : add(name);
      let sent: Base = { epoch: base.epoch, seq: base.seq, hash: base.hash };
      for (let tries = 0; tries < 20; tries += 1) {
        try {
          const { checklist } = await checklists.change({ issueId: issue.id, clientId, base: sent, edit });
          bases[client] = checklist;
          if (target) ticked.add(target.text);
          else promised.add(name);
          return;
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          if (error.code === 'BASE_UNKNOWN') sent = base;
          else if (error.code !== 'TRACKER_UNAVAILABLE') throw error;
          else it.elapse(BUSY);
        }
      }
      throw new Error('Never acknowledged.');
    }

    const webhook = async (account: string) => {
      const tenant = await it.tenants.find(it.tenant.id);
      if (tenant) await it.checklists.noticed({ tenant, account }, issue.id);
    };

    return {
      issue,
      read,
      promised,
      ticked,
      webhook,
      deliver,
      async foreign({ storage, plain, tick: row, stale }: z.infer<typeof foreignShape>) {
        const from = stale ? before[storage] : read[storage]();
        const name = nameOf('theirs');
        const text = row === null || stale ? `${from.trimEnd()}\n- ${name}` : withTick(from, row);
        if (text === from) return;
        // What they write over before we ever saw it is lost between them.
        const [last] = await use().raw(
          'select text from revision where issue = $1 order by created desc, seq desc limit 1',
          [issue.id],
        );
        const seen = new Set([...sentences(text), ...sentences(String(last?.text))]);
        for (const sentence of sentences(read[storage]())) if (!seen.has(sentence)) promised.delete(sentence);
        const value = held.properties[property];
        if (storage === 'field') held.fields[OWN_FIELD] = text;
        else held.properties[property] = plain || stale || typeof value !== 'object' ? text : { ...value, text };
        if (row === null || stale) promised.add(name);
      },
      remember() {
        Object.assign(before, { property: read.property(), field: read.field() });
      },
    };
  }

  const changeShape = z.object({ client: z.number(), tick: z.number().nullable(), fresh: z.boolean() });
  const foreignShape = z.object({
    storage: z.enum(['property', 'field']),
    plain: z.boolean(),
    tick: z.number().nullable(),
    stale: z.boolean(),
  });

  test('whoever writes where, nothing promised is lost, both storages agree, and it comes to rest', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, writes }) => {
        const here = await world(writes);
        const { issue, promised, ticked, read } = here;
        for (const each of steps) {
          it.elapse(BUSY);
          if (each.does === 'change') {
            here.remember();
            await Promise.all(each.changes.map(here.deliver));
          } else if (each.does === 'foreign') await here.foreign(foreignShape.parse(each));
          else if (each.does === 'work') await it.background.work(it.checklists.jobs);
          else if (each.does === 'restart') {
            it.background.lose();
            await it.checklists.recover();
          } else for (let time = 0; time < each.times; time += 1) await here.webhook('mallory');
        }
        it.tracker.faults = [];
        await here.webhook('mallory');
        await it.settled();

        const text = read.property();
        expect(new Set(sentences(text))).toEqual(new Set([...sentences(START), ...promised]));
        for (const sentence of ticked) expect(text.split('\n')).toContain(`+ ${sentence}`);
        expect(sameField(read.field(), text)).toBe(true);

        const calls = it.tracker.calls.length;
        await here.webhook('addon');
        await it.settled();
        expect(it.tracker.calls.slice(calls).filter(({ method }) => method === 'PUT')).toEqual([]);

        const history = await use().raw('select seq, hash, text, rows from revision where issue = $1 order by seq', [
          issue.id,
        ]);
        for (const { hash, text: written, rows } of history) {
          expect(await hashText(String(written))).toBe(hash);
          expect(rows).toHaveLength(readChecklist(String(written)).rows.length);
        }
        expect(new Set(history.map(({ seq }) => seq)).size).toBe(history.length);
        expect(history.at(-1)?.text).toBe(text);
        const open = await use().raw('select 1 from intent where issue = $1 and not given_up', [issue.id]);
        expect(open).toEqual([]);
      }),
      runs(12),
    );
  });
});
