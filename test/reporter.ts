import type { Reporter, TestModule } from 'vitest/node';

/** Closes a run with `N passed, N failed, N skipped` on a line of its own. */
export default class Totals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const { state } of Array.from(module.children.allTests(), test => test.result())) count[state]++;
      // A file that fails before its tests has none to count.
      if (module.state() === 'failed' && module.children.size === 0) count.failed++;
    }
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
