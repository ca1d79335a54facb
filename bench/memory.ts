import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { editor, projectAdmin, siteAdmin } from '../src/tracker/site/people.ts';
import { createSession, type View } from '../test/chaos/addon.ts';
import { pause, startSite } from '../test/chaos/site.ts';
import { startPostgres } from '../test/server/support/postgres.ts';
import { amount } from './comparison.ts';
import { table } from './measure.ts';
import { random } from './random.ts';

/*
 * Memory and handles of the built server under a mixed load, by the minute: changes, readings, jobs, new sessions,
 * wrong tokens and unknown webhooks. `npm run bench:memory -- [--minutes N] [--rate N]
 * [--store postgres|embedded]`. A rate of 3 makes in two hours what the usual one makes in six.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: String(amount(10, 0.02)) },
    rate: { type: 'string', default: '1' },
    store: { type: 'string', default: 'postgres' },
    smoke: { type: 'boolean' },
  },
});
const store = values.store === 'embedded' ? 'embedded' : 'postgres';
const MINUTE = 60_000;
const ISSUES = ['10001', '10002', '10007'];

/** Collects garbage every ten seconds, so that a sample has few dead objects. */
const collecting =
  "data:text/javascript,import{setFlagsFromString}from'node:v8';import{runInNewContext}from'node:vm';" +
  "setFlagsFromString('--expose-gc');setInterval(runInNewContext('gc'),1e4).unref()";
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${collecting}`;

const server = store === 'postgres' ? await startPostgres() : undefined;
const site = await startSite({ store, postgres: server?.url, processes: 2 });
const end = Date.now() + Number(values.minutes) * MINUTE;
const isOver = () => Date.now() >= end;
const counts: Record<string, number> = {};
const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
const addonUrl = (turn: number) => site.addons[turn % site.addons.length]?.url ?? '';

/** Repeats some work until the end, with about that many milliseconds between two at the usual rate. */
async function repeat(name: string, usual: number, work: (turn: number) => Promise<unknown>): Promise<void> {
  const r = random(usual);
  const every = Math.ceil(usual / Number(values.rate));
  for (let turn = 0; !isOver(); turn++) {
    await pause(Math.min(every / 2 + r.int(every), Math.max(0, end - Date.now())));
    await work(turn).then(
      () => count(name),
      error => count(`${name}: ${error instanceof Error ? error.message : 'failed'}`),
    );
  }
}

function changing(account: string, seed: number): (turn: number) => Promise<void> {
  const session = createSession(site, account);
  const r = random(seed);
  const known = new Map<string, View>();
  return async turn => {
    const issueId = r.pick(ISSUES);
    const url = addonUrl(turn);
    const base = known.get(issueId) ?? (await session.read(issueId, url));
    if (!base) throw new Error('not read');
    const { epoch, seq, hash } = base;
    const rows = Array.from(
      { length: 1 + r.int(60) },
      (_, row) => `${r.pick(['-', '+', 'x'])} Row ${row} ${r.int(999)}`,
    );
    const change = { kind: 'updateChecklistFromText', text: rows.join('\n') };
    const outcome = await session.send({ issueId, clientId: randomUUID(), change, base: { epoch, seq, hash } }, url);
    known.delete(issueId);
    if (outcome.kind === 'done' && r.int(3) > 0) known.set(issueId, outcome.view);
    if (outcome.kind !== 'done') throw new Error(outcome.kind);
  };
}

const admin = createSession(site, siteAdmin.accountId);
const asked = async (turn: number, document: string) => {
  const data = await admin.ask(addonUrl(turn), document);
  if (typeof data === 'string') throw new Error(data);
};

const post = (url: string, headers: Record<string, string>, body: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }).then(answer =>
    answer.arrayBuffer(),
  );

interface Sample {
  rss: number;
  heap: number;
  external: number;
  handles: number;
}

const metricsOf = async (url: string) => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
};

async function sample({ url }: { url: string }): Promise<Sample> {
  const metrics = await metricsOf(url);
  const mega = (name: string) => metrics(name) / 1_048_576;
  return {
    rss: mega('process_resident_memory_bytes'),
    heap: mega('nodejs_heap_size_used_bytes'),
    external: mega('nodejs_external_memory_bytes'),
    handles: metrics('nodejs_active_handles_total'),
  };
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const format = ({ rss, heap, external, handles }: Sample) =>
  [rss.toFixed(0), heap.toFixed(1), external.toFixed(1), String(handles)] as const;

try {
  const rows: string[][] = [];
  const sampling = (async () => {
    for (let minute = 0; !isOver(); minute++) {
      const samples = await Promise.all(site.addons.map(sample));
      const row = [String(minute), ...samples.flatMap(format)];
      rows.push(row);
      print(row.join(' '));
      await pause(Math.min(MINUTE, Math.max(0, end - Date.now())));
    }
  })();
  const open = createSession(site, editor.accountId);
  await Promise.all([
    sampling,
    ...[editor, projectAdmin, siteAdmin].map(({ accountId }, index) =>
      repeat('change', 1_500, changing(accountId, index + 1)),
    ),
    repeat('read', 300, turn => open.read(ISSUES[turn % ISSUES.length] ?? '', addonUrl(turn))),
    repeat('job', 120_000, turn => asked(turn, 'mutation { synchronizeStorages(input: {}) { errors { code } } }')),
    repeat('wrong token', 2_000, turn =>
      post(`${addonUrl(turn)}/graphql`, { authorization: `JWT wrong${turn}` }, '{}'),
    ),
    repeat('unknown webhook', 2_000, turn => post(`${addonUrl(turn)}/hooks/${randomUUID()}`, {}, '{}')),
    repeat('new session', 5_000, turn => createSession(site, editor.accountId).read('10001', addonUrl(turn))),
  ]);
  const head = ['minute', ...site.addons.flatMap(() => ['RSS MB', 'heap MB', 'external MB', 'handles'])];
  print(`\n${table(head, rows)}\n\n${JSON.stringify(counts, undefined, 1)}`);
} finally {
  await site.stop();
  await server?.stop();
}
