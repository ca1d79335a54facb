import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the projects in the order of the configuration, the one with the longest files first, so that all workers are busy
 * to the end; within a project in Vitest's own order, which knows how long each file took. Files that share a worker must
 * follow each other.
 */
export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(project => project.name);
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name));
  }
}
