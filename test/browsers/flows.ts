import { afterAll, afterEach, beforeAll, describe, inject, test, vi } from 'vitest';
import { createPrograms, type Programs } from '../browser/programs.ts';
import { createDatabase } from '../server/support/postgres.ts';
import { createContext, type FlowContext, signedIn } from './context.ts';
import { displayFlows } from './flows/display.ts';
import { editorFlows } from './flows/editor.ts';
import { listFlows } from './flows/list.ts';
import { networkFlows } from './flows/network.ts';
import type { BrowserWindow, Engine, EngineName } from './window.ts';

/*
 * The main flows of the product, the same for every engine. Each has an issue of its own. Keys, mouse and clipboard
 * are the browser's; scripts only look. The tracker and the add-on are different sites.
 */

/** Declares a flow. */
export type Flow = (title: string, run: (context: FlowContext) => Promise<void>) => void;

/** Runs the flows in an engine; skipped with one line where it is not installed. */
export function flows(name: EngineName, start: () => Engine | undefined): void {
  const engine = start();
  if (!engine) {
    test.skip(`${name} is not installed: see docs/testing.md`);
    return;
  }
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
  describe(name, () => describeFlows(name, engine));
}

function describeFlows(name: EngineName, engine: Engine): void {
  let programs: Programs;
  let emma: BrowserWindow;
  let context: FlowContext | undefined;

  beforeAll(async () => {
    programs = await createPrograms({
      createDatabase: () => createDatabase(inject('postgres'), { template: inject('template') }),
    });
    await programs.start();
    emma = await signedIn(engine, programs, 'Emma Richards');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await context?.picture(`failed ${task.name}`).catch(() => undefined);
  });
  afterAll(async () => {
    await engine.close();
    await programs.stop();
  });

  const flow: Flow = (title, run) =>
    test(title, async () => {
      context = await createContext(name, engine, programs, emma);
      await run(context);
    });
  listFlows(flow);
  editorFlows(flow);
  networkFlows(flow);
  displayFlows(flow);
}
