import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parseChecklistProperty } from '../../../src/domain/storage.ts';
import { createServices } from '../../../src/server/app/services.ts';
import { sameField } from '../../../src/server/checklists/read/stored.ts';
import type { ChangeBase } from '../../../src/server/checklists/service/types.ts';
import { Refused } from '../../../src/server/errors/refused.ts';
import { createMetrics } from '../../../src/server/monitoring/metrics.ts';
import { createTrackers } from '../../../src/server/platform/tracker/trackers.ts';
import { hashText } from '../../../src/text/document.ts';
import { readChecklist } from '../../../src/text/read.ts';
import { runs } from '../../run/seed.ts';
import { BASE_URL, startApp, type TestApp, testVault } from '../support/app.ts';
import { add, EDITOR, newIssue, tick, update } from '../support/checklists.ts';
import { unlimited } from '../support/quota.ts';
import { onStore } from '../support/stores.ts';
import { PROPERTY, type SyncWork, syncWork } from '../support/sync.ts';
import { ADDON_ACCOUNT, type Fault, OWN_FIELD, writeFields } from '../support/tracker.ts';

const index = fc.nat({ max: 30 });
const step = fc.oneof(
  // Concurrent changes, on the newest text or on the client's last one.
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('change' as const),
      changes: fc.array(fc.record({ client: fc.nat({ max: 2 }), tick: fc.option(index), isFresh: fc.boolean() }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('field' as const), tick: fc.option(index), isEmptied: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('property' as const), tick: fc.option(index), isPlain: fc.boolean() }),
  },
  // Events arrive in any order, twice or not at all.
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('event' as const),
      at: index,
      how: fc.constantFrom('once', 'twice', 'lost'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('work' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('swap' as const) }) },
);
/** Outcomes of the next calls; the failures happen before or after the call is done. */
const answers = ['works', 'works', 'works', 'works', 'lost', 'answer lost', 'fails', 'busy'] as const;
/** Retry-After of a busy tracker, in milliseconds. */
const BUSY = 60_000;
const plan = fc.record({
  steps: fc.array(step, { minLength: 3, maxLength: 16 }),
  calls: fc.array(fc.constantFrom(...answers), { maxLength: 16 }),
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
  let work: SyncWork;
  let services: Pick<ReturnType<typeof createServices>, 'checklists'>[];
  beforeAll(async () => {
    const { store, second } = use();
    it = await startApp(store);
    work = syncWork(it, use());
    const other = createServices({
      ...{ store: (await second?.()) ?? store, tenants: it.tenants, metrics: createMetrics(), queue: it.background },
      ...{ vault: testVault(), baseUrl: BASE_URL },
      onError: () => {},
      watch: it.watch,
      trackerOf: createTrackers({
        metrics: createMetrics(),
        quota: unlimited,
        send: it.tracker.fetch,
        sleep: async () => {},
      }),
    });
    services = [it, other];
    return () => it.app.close();
  });

  function misbehave(calls: readonly (typeof answers)[number][]) {
    const left = [...calls];
    let answer: (typeof answers)[number] | undefined;
    const concerns = ({ path }: { path: string }) => /\/issue\/(properties\/|\d+)/.test(path);
    const headers = { 'ratelimit-reason': 'jira-per-issue-on-write', 'retry-after': String(BUSY / 1_000) };
    const fault: Fault = call => {
      answer = concerns(call) ? left.shift() : undefined;
      if (answer === 'lost') return 'down';
      if (answer === 'busy' && call.method === 'PUT') return new Response(null, { status: 429, headers });
      return answer === 'fails' ? new Response(null, { status: 500 }) : undefined;
    };
    it.tracker.faults = [fault];
    it.tracker.lost = [call => concerns(call) && answer === 'answer lost'];
  }

  /** An issue with all its writers, and the expected rows. */
  async function world() {
    const issue = await newIssue(it, EDITOR);
    await issue.edit(update(START));
    await it.settled();
    const held = work.held(issue);
    const events: (() => Promise<void>)[] = [];
    const swaps: (() => Promise<void>)[] = [];
    it.tracker.onProperty = async () => void events.push(() => work.event(issue, 'property', ADDON_ACCOUNT));
    const fieldEvent = (to: string, account: string) => async () => {
      const tenant = await it.tenants.find(it.tenant.id);
      const changes = [{ id: OWN_FIELD, name: 'Checklist Text', to }];
      if (tenant) await it.sync.noticed({ tenant, account }, issue.id, { kind: 'updated', mayHide: false, changes });
    };
    it.tracker.onFields = async (_id, fields) => void events.push(fieldEvent(String(fields[OWN_FIELD]), ADDON_ACCOUNT));
    it.tracker.onSwap = async task => void swaps.push(task);
    /** Rows of acknowledged changes and of foreign field writes. */
    const promised = new Set<string>();
    /** Rows of foreign property writes, which the next foreign write may remove. */
    const possible = new Set<string>();
    const ticked = new Set<string>();
    const bases: ChangeBase[] = [];
    let named = 0;
    /** Names that are not similar, so that none matches another as reworded. */
    const nameOf = (origin: string) => {
      named += 1;
      return `${origin} ${createHash('sha256').update(`${issue.id} ${named}`).digest('hex')}`;
    };
    const inProperty = () => {
      const stored = parseChecklistProperty(held.properties[PROPERTY]);
      return 'text' in stored ? stored.text : '';
    };
    const inField = () => String(held.fields[OWN_FIELD] ?? '');

    return {
      issue,
      inProperty,
      inField,
      promised,
      possible,
      ticked,
      /** Sends a change until it is acknowledged, as an outbox does. */
      async change({ client, tick: row, isFresh }: { client: number; tick: number | null; isFresh: boolean }) {
        const account = `client-${client}`;
        it.tracker.granted.set(account, EDITOR);
        const tenant = await it.tenants.find(it.tenant.id);
        if (!tenant) throw new Error('Not installed.');
        const checklists = services[client % services.length]?.checklists.of({ tenant, account });
        if (!checklists) throw new Error('No process.');
        let base = bases[client];
        if (isFresh || !base) base = await checklists.read(issue.id);
        const clientId = nameOf('change').replaceAll(' ', '-');
        const { rows } = readChecklist(base.text ?? '');
        const target = row === null ? undefined : rows[row % Math.max(1, rows.length)];
        const name = nameOf('ours');
        const edit = target ? tick(rows.indexOf(target), target.text) : add(name);
        let sent: ChangeBase = { epoch: base.epoch, seq: base.seq, hash: base.hash };
        for (let tries = 0; tries < 5; tries += 1) {
          try {
            const { checklist } = await checklists.change({ issueId: issue.id, clientId, base: sent, edit });
            bases[client] = checklist;
            if (target) ticked.add(target.text);
            else promised.add(name);
            return;
          } catch (error) {
            if (!(error instanceof Refused) || error.code !== 'BASE_UNKNOWN') throw error;
            sent = base;
          }
        }
        throw new Error('Never acknowledged.');
      },
      field({ tick: row, isEmptied }: { tick: number | null; isEmptied: boolean }) {
        const from = isEmptied && row === 0 ? '' : inField();
        if (from === '' && inField() !== '') writeFields(held, { [OWN_FIELD]: null }, 'mallory');
        const name = nameOf('field');
        const text = row === null || from === '' ? `${from.trimEnd()}\n- ${name}`.trim() : withTick(from, row);
        if (text === from) return;
        if (row === null || from === '') promised.add(name);
        for (const line of text.split('\n'))
          if (line.startsWith('+ ') && !from.split('\n').includes(line)) ticked.add(line.slice(2));
        writeFields(held, { [OWN_FIELD]: text }, 'mallory');
        events.push(fieldEvent(text, 'mallory'));
      },
      property({ tick: row, isPlain }: { tick: number | null; isPlain: boolean }) {
        const from = inProperty();
        const value = held.properties[PROPERTY];
        const name = nameOf('property');
        const text = row === null ? `${from.trimEnd()}\n- ${name}` : withTick(from, row);
        if (text === from) return;
        if (row === null) possible.add(name);
        held.properties[PROPERTY] = isPlain || typeof value !== 'object' ? text : { ...value, text };
        events.push(() => work.event(issue, 'property', 'eve'));
      },
      async event({ at, how }: { at: number; how: string }) {
        const [event] = events.splice(at % Math.max(1, events.length), 1);
        if (!event || how === 'lost') return;
        await event();
        if (how === 'twice') await event();
      },
      swap: async () => {
        for (const task of swaps.splice(0)) await task();
      },
      async end() {
        it.tracker.faults = [];
        it.tracker.lost = [];
        it.tracker.onSwap = task => task();
        for (const task of swaps.splice(0)) await task();
        for (const event of events.splice(0)) await event();
        // The sweep.
        await work.event(issue);
        await it.settled();
        for (const event of events.splice(0)) await event();
        await it.settled();
      },
    };
  }

  test('no acknowledged write of any writer is lost, the copies become equal, and no further write follows', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, calls }) => {
        it.background.lose();
        const here = await world();
        const { issue, promised, possible, ticked } = here;
        misbehave(calls);
        for (const each of steps) {
          it.elapse(BUSY);
          if (each.does === 'change') await Promise.all(each.changes.map(here.change));
          else if (each.does === 'field') here.field(each);
          else if (each.does === 'property') here.property(each);
          else if (each.does === 'event') await here.event(each);
          else if (each.does === 'swap') await here.swap();
          else if (each.does === 'work') await it.background.work(it.jobs);
          else {
            it.background.lose();
            await it.sync.recover();
          }
        }
        it.elapse(BUSY);
        await here.end();

        const { text } = await issue.read();
        const rows = sentences(text);
        expect(new Set(rows).size, text).toBe(rows.length);
        for (const sentence of [...sentences(START), ...promised]) expect(rows).toContain(sentence);
        for (const sentence of rows) {
          expect(sentences(START).includes(sentence) || promised.has(sentence) || possible.has(sentence)).toBe(true);
        }
        for (const sentence of ticked) expect(text.split('\n')).toContain(`+ ${sentence}`);
        expect(here.inProperty()).toBe(text);
        expect(sameField(here.inField(), text)).toBe(true);
        await work.quiet(issue, text);

        const history = await use().raw('select seq, hash, text, rows from revision where issue = $1 order by seq', [
          issue.id,
        ]);
        for (const { hash, text: written, rows: ids } of history) {
          expect(await hashText(String(written))).toBe(hash);
          expect(ids).toHaveLength(readChecklist(String(written)).rows.length);
          expect(new Set(ids as string[]).size).toBe((ids as string[]).length);
        }
        expect(new Set(history.map(({ seq }) => seq)).size).toBe(history.length);
      }),
      {
        ...runs(100),
        // A bare text that happens to be closer to an own write that never arrived.
        examples: [
          [
            {
              steps: [
                {
                  does: 'change',
                  changes: [0, null, 4].map(tick => ({ client: 0, tick, isFresh: false })),
                },
                { does: 'property', tick: 0, isPlain: true },
                { does: 'property', tick: 0, isPlain: false },
                { does: 'event', at: 0, how: 'once' },
                { does: 'work' },
              ],
              calls: ['lost'],
            },
          ],
        ],
      },
    );
  });
});
