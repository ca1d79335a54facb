import * as v from 'valibot';
import { beforeEach } from 'vitest';
import { refusals } from '../../../src/domain/messages.ts';
import type { TemplateLimits } from '../../../src/server/templates/rules.ts';
import { startApp, type TestApp } from './app.ts';
import { askAs, refused } from './ask.ts';
import { EDITOR } from './checklists.ts';
import { PROJECT } from './issue-creation.ts';
import { onStore, type TestStore } from './stores.ts';

const SEEN = 'id name text projectId itemCount isDefault isGettingStarted account';
const templateShape = v.object({
  id: v.string(),
  name: v.string(),
  text: v.string(),
  projectId: v.nullable(v.string()),
  itemCount: v.number(),
  isDefault: v.boolean(),
});
const payloadShape = v.object({ template: templateShape });
const pageShape = v.object({ templates: v.array(templateShape), total: v.number() });

export const IN_PROJECT = `projectId: "${PROJECT}"`;
/** Refusals without the permission to administer the site, or the project. */
export const notOfSite = refused('FORBIDDEN', null, refusals.permission);
export const notOfProject = refused('FORBIDDEN', null, refusals.projectAdmin);

/** A site with one account per role, and its templates as each of them reads and writes them. */
export interface TemplateSite {
  it: TestApp;
  run(account: string, mutation: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  fromText(account: string, values: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The template that the mutation creates. */
  made(account: string, values?: Record<string, unknown>): Promise<v.InferOutput<typeof templateShape>>;
  byId(account: string, mutation: 'deleteTemplate' | 'restoreTemplate', id: string): Promise<unknown>;
  list(account: string, args?: string): Promise<v.InferOutput<typeof pageShape>>;
  names(account: string, args?: string): Promise<string[]>;
}

async function startTemplates({ store }: TestStore, limits?: TemplateLimits): Promise<TemplateSite> {
  const it = await startApp(store, {}, undefined, undefined, limits);
  it.tracker.granted.set('admin', [...EDITOR, 'ADMINISTER']);
  it.tracker.granted.set('lead', [...EDITOR, 'ADMINISTER_PROJECTS']);
  it.tracker.granted.set('editor', EDITOR);
  it.tracker.granted.set('viewer', ['BROWSE_PROJECTS']);

  const run: TemplateSite['run'] = (account, name, input) =>
    askAs(it, account).mutate(name, input, `template { ${SEEN} }`);
  const fromText: TemplateSite['fromText'] = (account, values) =>
    run(account, 'createTemplateFromText', { name: 'Release', text: '- a\n# h\n+ b', ...values });
  const list: TemplateSite['list'] = async (account, args = '') =>
    v.parse(
      pageShape,
      await askAs(it, account).ask(`{ templates${args && `(${args})`} { total templates { ${SEEN} } } }`),
    );
  return {
    it,
    run,
    fromText,
    list,
    made: async (account, values = {}) => v.parse(payloadShape, await fromText(account, values)).template,
    byId: (account, name, id) =>
      askAs(it, account).ask(
        `mutation run($id: ID!) { ${name}(id: $id) { message errors { code field message } template { ${SEEN} } } }`,
        { id },
      ),
    names: async (account, args) => (await list(account, args)).templates.map(({ name }) => name),
  };
}

/** Runs the same tests on both stores, each on its own site with few templates. */
export function onTemplateSites(define: (site: TemplateSite, use: () => TestStore) => void): void {
  onStore(use => {
    let now: TemplateSite;
    beforeEach(async () => {
      now = await startTemplates(use(), { globalTemplates: 4, projectTemplates: 3 });
      return () => now.it.app.close();
    });
    const site: TemplateSite = {
      get it() {
        return now.it;
      },
      run: (...args) => now.run(...args),
      fromText: (...args) => now.fromText(...args),
      made: (...args) => now.made(...args),
      byId: (...args) => now.byId(...args),
      list: (...args) => now.list(...args),
      names: (...args) => now.names(...args),
    };
    define(site, use);
  });
}
