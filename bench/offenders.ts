import { randomUUID } from 'node:crypto';
import { send } from '../src/server/platform/tracker/send.ts';
import { table } from './measure.ts';
import { withHarness } from './server/harness.ts';
import { type ApiSession, install, personAt, signIn } from './server/users.ts';

/*
 * Waiting times of other users while one account does its worst, beside the quiet run just before: the built server on
 * PostgreSQL, one process. `npm run bench:offenders [SECONDS]`
 */

const seconds = Number(process.argv[2] ?? 8);
const ROWS = 1_000;
const CHANGE = `mutation ($input: ChangeChecklistInput!) {
  changeChecklist(input: $input) { checklist { epoch seq hash } errors { code } }
}`;
const READ = 'query ($id: ID!) { checklist(issueId: $id) { epoch seq hash } }';

const rows = (word: string) => Array.from({ length: ROWS }, (_, index) => `- ${word} ${index}`);
const base = { epoch: '', seq: 0, hash: '-', text: '' };

interface Changed {
  changeChecklist: { checklist: { epoch: string; seq: number; hash: string } | null };
}

/** Fills an issue with a thousand rows; returns its position. */
async function filled(session: ApiSession, issueId: string) {
  const { checklist } = await session.graphql<{ checklist: object }>(READ, { id: issueId });
  const { epoch, seq, hash } = { ...base, ...checklist };
  const change = { kind: 'updateChecklistFromText', text: rows('item').join('\n') };
  const input = { issueId, clientId: randomUUID(), base: { epoch, seq, hash }, change };
  const made = await session.graphql<Changed>(CHANGE, { input });
  return made.changeChecklist.checklist ?? base;
}

const edits = (values: (index: number) => object) =>
  Array.from({ length: ROWS }, (_, index) => ({
    kind: 'updateChecklistItem',
    target: { index, text: `item ${index}` },
    values: values(index),
  }));

await withHarness(2, async ({ stub, database, servers }) => {
  const [server] = await servers({ DATABASE_URL: await database('offenders') });
  await install(stub, server);
  const offender = await signIn(server, 'offender');
  const start = await filled(offender, '90001');
  let number = 0;
  const post = (headers: Record<string, string>, body: string) =>
    send(new URL('/graphql', server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      time: 60_000,
    }).then(answer => answer.text());
  const change = (change: object) => {
    const input = { issueId: '90001', clientId: randomUUID(), base: start, change };
    return offender.graphql(CHANGE, { input }).catch(() => undefined);
  };
  const offenders: Record<string, () => Promise<unknown>> = {
    'changes of 1,000 rows, one value each': () =>
      change({ kind: 'changeChecklistItems', edits: edits(index => ({ text: `n${number++} ${index}` })) }),
    'changes of 1,000 rows, four values each': () =>
      change({
        kind: 'changeChecklistItems',
        edits: edits(index => ({ text: `n${index}`, mandatory: true, assignee: 'a:1', dueDate: '2026-12-01' })),
      }),
    'rewrites of 1,000 rows, of an old base': () => {
      number += 1;
      return change({ kind: 'updateChecklistFromText', text: rows(`other ${number}`).join('\n') });
    },
    'documents of five aliased histories': () =>
      post(
        { authorization: `JWT ${offender.token}` },
        JSON.stringify({
          query: `{ ${[1, 2, 3, 4, 5].map(n => `a${n}: checklistTouches(issueId: "90001") { __typename }`).join(' ')} }`,
        }),
      ),
    'wrong tokens': () => post({ authorization: `JWT wrong.${number++}.token` }, '{}'),
    'webhooks of unknown sites': () =>
      send(new URL('/webhooks/issue-updated?issueId=1', server.url), {
        method: 'POST',
        headers: {
          authorization: `JWT ${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(`{"iss":"u${number++}"}`).toString('base64url')}.x`,
        },
        body: '{}',
        time: 60_000,
      }).then(answer => answer.text()),
  };
  const people = await Promise.all([1, 2, 3].map(n => personAt(server, `other-${n}`, `9100${n}`)));
  const lines: string[][] = [];
  async function others(until: number): Promise<number[]> {
    const waits: number[] = [];
    await Promise.all(
      people.map(async person => {
        for (let turn = 0; Date.now() < until; turn++) {
          const from = performance.now();
          await (turn % 3 === 0 ? person.tick() : person.read());
          waits.push(performance.now() - from);
          await new Promise(resolve => setTimeout(resolve, 40));
        }
      }),
    );
    return waits.sort((a, b) => a - b);
  }
  const at = (waits: readonly number[], share: number) =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  /** Milliseconds of the longest time without a break in the server since the last call. */
  async function longestBlock(): Promise<string> {
    const text = await (await fetch(new URL('/metrics', server.url))).text();
    return (Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1_000).toFixed(0);
  }
  await others(Date.now() + 3_000);
  for (const [name, offend] of Object.entries(offenders)) {
    await longestBlock();
    const quiet = await others(Date.now() + (seconds * 1_000) / 2);
    const before = await longestBlock();
    const end = Date.now() + seconds * 1_000;
    let made = 0;
    const offending = Array.from({ length: 8 }, async () => {
      while (Date.now() < end) {
        await offend();
        made += 1;
      }
    });
    const waits = await others(end);
    await Promise.all(offending);
    const figures = [0.5, 0.95, 1].map(share => `${at(quiet, share).toFixed(0)} → ${at(waits, share).toFixed(0)}`);
    const ratio = at(waits, 0.95) / at(quiet, 0.95);
    lines.push([name, String(made), ...figures, ratio.toFixed(1), `${before} → ${await longestBlock()}`]);
    process.stdout.write(`${lines.at(-1)?.join(' | ')}\n`);
  }
  process.stdout.write(
    `\nMilliseconds of three other users, quiet → beside eight connections of the offender, ${seconds} s each.\n\n` +
      `${table(['offender', 'its requests', 'p50', 'p95', 'worst', 'p95 ratio', 'longest block'], lines)}\n`,
  );
});
