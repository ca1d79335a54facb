import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take ten seconds and more, the longest first. */
const LONG = [
  'test/server/copies/crash.test.ts',
  'test/server/main.test.ts',
  'test/server/stored/bad-input.test.ts',
  'test/server/stored/model.test.ts',
  'test/server/text-workers/pool.test.ts',
  'test/server/text-workers/doors.test.ts',
  'test/server/http/live/stream.test.ts',
  'test/server/stored/many.test.ts',
  'test/together/sessions.test.ts',
  'test/together/stale-bases.test.ts',
  'test/architecture/words.test.ts',
];

/** Place of a file among the long ones; others come after. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = LONG.indexOf(relative('', moduleId));
  return place === -1 ? LONG.length : place;
}

/**
 * Runs the projects in the order of the configuration, the one with the longest files first, and in each project its
 * longest files first, so that all workers are busy to the end. Otherwise in Vitest's own order, which knows how long
 * each file took, but on a fresh clone only how large it is. Files that share a worker must follow each other.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(project => project.name);
    const sorted = await super.sort(files);
    return sorted.sort(
      (a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name) || placeOf(a) - placeOf(b),
    );
  }
}
