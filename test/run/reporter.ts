import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { full, seed } from './seed.ts';

const reason = (errors: readonly SerializedError[]) =>
  errors[0]?.message?.split('\n').find(line => line.trim() !== '') ?? 'no reason given';

/** The failures of a file: tests and hooks. */
function failuresOf(module: TestModule): string[] {
  const file = relative('', module.moduleId);
  const line = (name: string, errors: readonly SerializedError[]) => `${file}${name}: ${reason(errors)}`;
  const suites = [module, ...module.children.allSuites()];
  return [
    ...suites
      .filter(suite => suite.errors().length > 0)
      .map(suite => line(suite.type === 'suite' ? ` > ${suite.fullName}` : '', suite.errors())),
    ...Array.from(module.children.allTests('failed'), test => line(` > ${test.fullName}`, test.result().errors ?? [])),
  ];
}

/** Prints the seed, and at the end what failed and why, closed by `N passed, N failed, N skipped` on a line of its own. */
export default class Totals implements Reporter {
  onInit(): void {
    process.stdout.write(`Seed ${seed}. To repeat: ${full ? 'FULL=1 ' : ''}SEED=${seed}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map(error => `outside of tests: ${reason([error])}`),
    ];
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state] += 1;
    const lines = failures.length > 0 ? ['', `Failed, seed ${seed}:`, ...failures.map(failure => `  ${failure}`)] : [];
    // A file or suite that fails outside its tests counts as one failure.
    const failed = failures.length;
    process.stdout.write(`${lines.join('\n')}\n\n${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`);
  }
}
