import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { full, seed } from './seed.ts';

const reason = (errors: readonly SerializedError[]) =>
  errors[0]?.message?.split('\n').find(line => line.trim() !== '') ?? 'no reason given';

interface Failure {
  file: string;
  project: string;
  /** Name of the test or suite; empty for the file. */
  name: string;
  reason: string;
}

/** The failures of a file: tests and hooks. */
function failuresOf(module: TestModule): Failure[] {
  const file = relative('', module.moduleId);
  const failure = (name: string, errors: readonly SerializedError[]): Failure => ({
    file,
    project: module.project.name,
    name,
    reason: reason(errors),
  });
  const suites = [module, ...module.children.allSuites()];
  return [
    ...suites
      .filter(suite => suite.errors().length > 0)
      .map(suite => failure(suite.type === 'suite' ? suite.fullName : '', suite.errors())),
    ...Array.from(module.children.allTests('failed'), test => failure(test.fullName, test.result().errors ?? [])),
  ];
}

/** Failures that the last lines of a run have room for. */
const LAST = 3;

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

const lineOf = ({ file, name, reason }: Failure) => `${file}${name && ` > ${name}`}: ${reason}`;

/** The command that repeats a failure. */
function commandOf({ file, project, name }: Failure): string {
  // Vitest reads the name as a regular expression, and joins suites and tests by a blank; titles may have ` > ` as well.
  const title = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(' > ', ' (> )?');
  const only = name === '' ? '' : ` -t ${quoted(title)}`;
  return `${full ? 'FULL=1 ' : ''}SEED=${seed} npx vitest run --project ${project} ${file}${only}`;
}

/**
 * Prints the seed, and at the end what failed and why, with the commands that repeat the first ones, closed by
 * `N passed, N failed, N skipped` on a line of its own.
 */
export default class Totals implements Reporter {
  onInit(): void {
    process.stdout.write(`Seed ${seed}. To repeat: ${full ? 'FULL=1 ' : ''}SEED=${seed}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = modules.flatMap(failuresOf);
    const outside = unhandled.map(error => `outside of tests: ${reason([error])}`);
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state] += 1;
    // A file or suite that fails outside its tests counts as one failure.
    const failed = failures.length + outside.length;
    const lines = [
      ...outside,
      ...failures.slice(LAST).map(lineOf),
      ...failures.slice(0, LAST).flatMap(failure => [lineOf(failure), `  ${commandOf(failure)}`]),
    ];
    if (failed > 0) process.stdout.write(`\nFailed, seed ${seed}:\n${lines.map(line => `  ${line}\n`).join('')}`);
    process.stdout.write(`\n${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`);
  }
}
