import { amount } from '../comparison.ts';
import { type Call, callsSince, processorTimeOf, type Running } from './programs.ts';

/** Milliseconds of the machine's own clock, the same in every process. */
export const clock = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/** One measured operation and its issue. */
export interface Sample {
  issue: string;
  from: number;
  to: number;
}

export interface Phase {
  samples: Sample[];
  /** Milliseconds from the first start to the last end. */
  took: number;
}

/** A worker on an issue; on none where it is empty. */
interface Worker {
  issue: string;
}

async function sample({ issue }: Worker, work: () => Promise<unknown>): Promise<Sample> {
  const from = clock();
  await work();
  return { issue, from, to: clock() };
}

/** The operations of each worker and how often: one after the other, or all at once. */
export interface Load<Person extends Worker> {
  people: readonly Person[];
  work: (person: Person) => Promise<unknown>;
  rounds: number;
  atOnce: boolean;
}

export async function run<Person extends Worker>({ people, work, rounds, atOnce }: Load<Person>): Promise<Phase> {
  const samples: Sample[] = [];
  const start = clock();
  const one = async (person: Person) => void samples.push(await sample(person, () => work(person)));
  if (atOnce) {
    await Promise.all(
      people.map(async person => {
        for (let round = 0; round < rounds; round++) await one(person);
      }),
    );
  } else {
    for (let round = 0; round < rounds; round++) for (const person of people) await one(person);
  }
  return { samples, took: clock() - start };
}

/** Milliseconds within a sample during which the tracker had a call about its issue. */
export function trackersTime({ issue, from, to }: Sample, calls: readonly Call[]): number {
  let time = 0;
  let end = from;
  for (const call of calls) {
    if (call.issue !== issue || call.from < from || call.to > to) continue;
    time += Math.max(0, call.to - Math.max(call.from, end));
    end = Math.max(end, call.to);
  }
  return time;
}

export const ms = (time: number): string => `${time.toFixed(1)} ms`;

export function quantiles(times: readonly number[]): string[] {
  const sorted = [...times].sort((a, b) => a - b);
  return [0.5, 0.95, 0.99].map(share =>
    ms(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0),
  );
}

export const head = ['', 'p50', 'p95', 'p99', 'a second', 'server CPU', 'tracker calls', 'their time'];

const rate = ({ samples, took }: Phase): string => ((samples.length * 1_000) / took).toFixed(0);

/** A line for operations without the server. */
export function bareLine(name: string, phase: Phase): string[] {
  return [name, ...quantiles(phase.samples.map(({ from, to }) => to - from)), rate(phase), '', '', ''];
}

/** Rounds of each server before the measurement: after a minute of work its code is compiled. */
const WARM_UP = amount(30);

const cpuOf = async (servers: readonly Running[]): Promise<number> =>
  (await Promise.all(servers.map(processorTimeOf))).reduce((sum, cpu) => sum + cpu, 0);

/** A line of the table: times without the tracker's, and the servers' processor time for each sample. */
export async function line<Person extends Worker>(
  name: string,
  stub: Running,
  servers: readonly Running[],
  load: Load<Person>,
): Promise<string[]> {
  // Each server has its own code to compile.
  await run({ ...load, rounds: WARM_UP * servers.length, atOnce: true });
  await callsSince(stub);
  const before = await cpuOf(servers);
  const phase = await run(load);
  const cpu = ((await cpuOf(servers)) - before) / phase.samples.length;
  const calls = await callsSince(stub);
  const theirs = phase.samples.map(each => trackersTime(each, calls));
  const own = phase.samples.map(({ from, to }, index) => to - from - (theirs[index] ?? 0));
  const mean = (total: number) => total / phase.samples.length;
  const sum = theirs.reduce((total, time) => total + time, 0);
  const used = `${(cpu * 1e6).toFixed(0)} µs`;
  const row = [name, ...quantiles(own), rate(phase), used, mean(calls.length).toFixed(1), ms(mean(sum))];
  // Progress, since slow machines take long.
  process.stderr.write(`${row.join('  ')}\n`);
  return row;
}
