import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Storage } from '../test/chaos/journal.ts';
import { type ChaosOptions, type ChaosReport, runChaos } from '../test/chaos/run.ts';
import { seed } from '../test/run/seed.ts';
import { startPostgres } from '../test/server/support/postgres.ts';
import { amount } from './comparison.ts';
import { table } from './measure.ts';

/*
 * Many users, a failing tracker and killed processes for as long as given; exits with 1 when anything was lost. `npm
 * run soak -- --minutes N [--seed S] [--store embedded|postgres] [--foreign none|property|field|both] [--clients N]
 * [--kill-every SECONDS] [--no-faults] [--log FILE]`
 */

const { values } = parseArgs({
  allowNegative: true,
  options: {
    minutes: { type: 'string', default: String(amount(10, 0.05)) },
    seed: { type: 'string', default: String(process.env.SEED ? seed : Date.now() % 1_000_000) },
    store: { type: 'string', default: 'postgres' },
    foreign: { type: 'string', default: 'both' },
    clients: { type: 'string', default: '8' },
    'kill-every': { type: 'string', default: '15' },
    faults: { type: 'boolean', default: true },
    log: { type: 'string' },
    smoke: { type: 'boolean' },
  },
});

const storages: Record<string, readonly Storage[]> = {
  none: [],
  property: ['property'],
  field: ['field'],
  both: ['property', 'field'],
};

const print = (line: string) => process.stdout.write(`${line}\n`);
const store = values.store === 'embedded' ? 'embedded' : 'postgres';
const server = store === 'postgres' ? await startPostgres() : undefined;
try {
  const options: ChaosOptions = {
    seed: Number(values.seed),
    store,
    seconds: Number(values.minutes) * 60,
    clients: Number(values.clients),
    foreign: storages[values.foreign] ?? [],
    faults: values.faults,
    offScreen: values.faults,
    killEvery: Number(values['kill-every']),
    settleWithin: 120,
    onProgress: print,
    ...(server && { postgres: server.url }),
  };
  print(`seed ${options.seed}, ${store}, ${values.minutes} minutes, ${options.clients} clients`);
  const report = await runChaos(options);
  summary(report);
  const { issueLogs, foreignWrites, violations, output } = report;
  if (values.log) await writeFile(values.log, JSON.stringify({ violations, foreignWrites, issueLogs, output }));
  process.exitCode = report.violations.length ? 1 : 0;
} finally {
  await server?.stop();
}

function summary({ tally, violations, ...report }: ChaosReport): void {
  const counts = (heading: string, map: ReadonlyMap<string, number>) =>
    [...map].sort(([, a], [, b]) => b - a).map(([name, count]) => [`  ${heading}: ${name}`, String(count)]);
  const by = <T>(list: readonly T[], name: (entry: T) => string) => {
    const map = new Map<string, number>();
    for (const entry of list) map.set(name(entry), (map.get(name(entry)) ?? 0) + 1);
    return map;
  };
  const sum = (map: ReadonlyMap<string, number>) => [...map.values()].reduce((a, b) => a + b, 0);
  const line = (name: string, count: number) => [name, String(count)];
  print('');
  print(
    table(
      ['', 'count'],
      [
        line('changes acknowledged', tally.changes.length),
        ...counts(
          'mutation',
          by(tally.changes, change => change.mutation),
        ),
        line('changes refused', sum(tally.refusals)),
        ...counts('code', tally.refusals),
        line('sent again', tally.repeats()),
        ...counts('after', tally.opens),
        line('processes killed', report.kills),
        line('faults', sum(report.struck)),
        ...counts('fault', report.struck),
        line(
          'conflicts reported',
          tally.changes.reduce((all, { conflicts }) => all + conflicts.length, 0),
        ),
        line('deletions that gave way to a change', report.gaveWay),
        line('revisions', report.revisions),
        line('seconds without the tracker', Math.round(report.away.time / 1000)),
        line('  changes acknowledged then', report.away.changes),
        line('synchronisations of the site', report.jobs),
        line('templates applied by rules', report.rules),
        line('issues made of items', report.issuesMade),
        line('times that the field was off the screen', report.offScreen),
        line('foreign writes', report.foreignWrites.length),
        ...counts(
          'to the',
          by(report.foreignWrites, write => write.storage),
        ),
        line('rows that a foreign text without a stamp ran over', report.ranOver),
        ...counts('copies', report.ownWrites),
        line('foreign changes of the field that ours overwrote at once', report.overwritten),
        line('foreign writes of the property lost (stated limit)', report.lost.length),
        line('foreign writes of the property that were a text of ours', report.asOurs.length),
        line('lost or wrong', violations.length),
        ...counts(
          'what',
          by(violations, violation => violation.what),
        ),
      ],
    ),
  );
  for (const { what, issue, detail } of violations.slice(0, 20)) print(`\n${what} (issue ${issue}): ${detail}`);
  if (violations.length > 20) print(`\n… and ${violations.length - 20} more`);
  if (violations.length) print(`\nseed ${report.options.seed}`);
}
