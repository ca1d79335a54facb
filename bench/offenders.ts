import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { amount, compare, isSmoke } from './comparison.ts';
import { table } from './measure.ts';
import { withHarness } from './server/harness.ts';
import { install, personAt } from './server/users.ts';

/*
 * Waiting times of another site's users while one account does its worst, beside the quiet run just before: the built
 * server on PostgreSQL, one process. The offender is a process of its own.
 * `npm run bench:offenders -- [--seconds N] [--only PART OF A NAME]`
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: String(amount(8)) },
    only: { type: 'string', default: '' },
    smoke: { type: 'boolean' },
  },
});
const seconds = Number(values.seconds);
const OTHER = 'stub-other';

await withHarness(2, async ({ stub, database, servers }) => {
  const [server] = await servers({ DATABASE_URL: await database('offenders') });
  await install(stub, server);
  await install(stub, server, OTHER);
  const offender = fork(join(import.meta.dirname, 'server/offender.ts'), [server.url], {
    execArgv: ['--import', 'tsx'],
  });
  offender.once('exit', (code, signal) => {
    if (code === 0) return;
    process.stderr.write(`The offender ended with ${signal ?? code}.\n`);
    process.kill(process.pid, 'SIGTERM');
  });
  const [{ names }] = (await once(offender, 'message')) as [{ names: string[] }];
  const people = await Promise.all([1, 2, 3].map(n => personAt(server, `other-${n}`, `9100${n}`, OTHER)));

  async function others(until: number): Promise<number[]> {
    const waits: number[] = [];
    await Promise.all(
      people.map(async person => {
        for (let turn = 0; Date.now() < until; turn++) {
          const from = performance.now();
          const work = turn % 3 === 0 ? person.tick() : person.read();
          await work.then(
            () => waits.push(performance.now() - from),
            (error: unknown) => process.stderr.write(`${person.issue}: ${String(error)}\n`),
          );
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

  const lines: string[][] = [];
  await others(Date.now() + amount(3_000, 100));
  for (const name of names.filter(each => each.includes(values.only)).slice(0, isSmoke ? 1 : undefined)) {
    await longestBlock();
    const quiet = await others(Date.now() + (seconds * 1_000) / 2);
    const before = await longestBlock();
    offender.send({ name, seconds });
    await once(offender, 'message');
    const done = once(offender, 'message') as Promise<[{ made: number; failed: object }]>;
    const waits = await others(Date.now() + seconds * 1_000);
    const [{ made, failed }] = await done;
    if (Object.keys(failed).length > 0) process.stderr.write(`${name}: ${JSON.stringify(failed)}\n`);
    const figures = [0.5, 0.95, 1].map(share => `${at(quiet, share).toFixed(0)} → ${at(waits, share).toFixed(0)}`);
    const ratio = at(waits, 0.95) / at(quiet, 0.95);
    compare({
      what: `another site beside ${name}, p95`,
      ours: at(waits, 0.95),
      beside: 'the quiet site',
      other: at(quiet, 0.95),
      unit: 'ms',
    });
    lines.push([name, String(made), ...figures, ratio.toFixed(1), `${before} → ${await longestBlock()}`]);
    process.stdout.write(`${lines.at(-1)?.join(' | ')}\n`);
  }
  offender.disconnect();
  process.stdout.write(
    `\nMilliseconds of three users of another site, quiet → beside eight connections of the offender, ${seconds} s each.\n\n` +
      `${table(['offender', 'its requests', 'p50', 'p95', 'worst', 'p95 ratio', 'longest block'], lines)}\n`,
  );
});
