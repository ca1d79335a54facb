import { sql } from 'kysely';
import type { RegistryStatus } from '../../domain/statuses.ts';
import { raiseWantedCopies } from '../queue/wanted-copies.ts';
import { publish } from '../store/live-events.ts';
import { lockTenant } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import { type RunTask, runInParts } from '../text-workers/task.ts';
import type { Template } from './templates.ts';
import { havingStatus, relabelledTexts } from './text-tasks.ts';
import { addVersions, NO_AUTHOR } from './versions.ts';

/** The templates of a project, or (`null`) of the site and all projects, and how their texts are read. */
export interface StatusScope {
  store: Store;
  tenant: string;
  project: string | null;
  statuses: { listOf(project: string | undefined): readonly RegistryStatus[] };
  run: RunTask;
}

type StatusText = Pick<Template, 'id' | 'project' | 'text'>;

/** Texts are loaded page by page. */
const TEXTS_PER_PAGE = 20;

const texts = (tx: Tx, tenant: string) =>
  tx.selectFrom('template').select(['id', 'project', 'text']).where('tenant', '=', tenant);

/** The templates whose texts may name a status, by page; those that were deleted, too: they can be restored. */
async function* pages({ store, tenant, project }: StatusScope): AsyncGenerator<StatusText[]> {
  for (let after = ''; ; ) {
    const page = await store.tenant(tenant, tx =>
      texts(tx, tenant)
        .where('id', '>', after)
        .where(sql<boolean>`strpos(text, '[') > 0`)
        .$if(project !== null, query => query.where('project', '=', project))
        .orderBy('id')
        .limit(TEXTS_PER_PAGE)
        .execute(),
    );
    yield page;
    const last = page.at(-1);
    if (!last || page.length < TEXTS_PER_PAGE) return;
    after = last.id;
  }
}

const readWith = ({ statuses }: StatusScope, { project, text }: StatusText) => ({
  text,
  statuses: statuses.listOf(project ?? undefined),
});

/** Counts the templates with an item that has a status. */
export async function countStatus(scope: StatusScope, slug: string): Promise<number> {
  let count = 0;
  for await (const page of pages(scope)) {
    const texts = page.map(template => ({ ...readWith(scope, template), slug }));
    count += (await runInParts(scope.run, havingStatus, texts)).filter(Boolean).length;
  }
  return count;
}

/** Replaces texts, without an author. Resolves with the current templates if other users changed them meanwhile. */
async function replace(
  { store, tenant }: StatusScope,
  replaced: readonly { template: StatusText; text: string }[],
): Promise<StatusText[]> {
  if (replaced.length === 0) return [];
  return store.tenant(tenant, async tx => {
    await lockTenant(tx, tenant);
    const ids = replaced.map(({ template }) => template.id);
    const currentRows = await texts(tx, tenant).where('id', 'in', ids).execute();
    const current = new Map(currentRows.map(template => [template.id, template]));
    const unchanged = replaced.filter(({ template }) => current.get(template.id)?.text === template.text);
    for (const { template, text } of unchanged) {
      await tx
        .updateTable('template')
        .set({ text })
        .where('tenant', '=', tenant)
        .where('id', '=', template.id)
        .execute();
      current.delete(template.id);
    }
    await addVersions(tx, tenant, ids, NO_AUTHOR);
    if (unchanged.length > 0) {
      await publish(tx, tenant, { kind: 'templates' });
      await raiseWantedCopies(tx, tenant);
    }
    return [...current.values()];
  });
}

/**
 * Writes statuses as they are called now, and moves items of those that are being deleted (`relabel`). Texts are read
 * without the tenant's lock, and again if they were changed meanwhile. Resolves with whether some text was replaced.
 * `most` pages of templates are read.
 */
export async function relabelTemplates(
  scope: StatusScope,
  moves: ReadonlyMap<string, string>,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let isReplaced = false;
  let readPages = 0;
  for await (const page of pages(scope)) {
    for (let remainingTemplates = page; remainingTemplates.length > 0; ) {
      const texts = remainingTemplates.map(template => ({ ...readWith(scope, template), moves }));
      const written = await runInParts(scope.run, relabelledTexts, texts);
      const replaced = remainingTemplates.flatMap((template, index) => {
        const { [index]: text = template.text } = written;
        return text === template.text ? [] : { template, text };
      });
      isReplaced ||= replaced.length > 0;
      remainingTemplates = await replace(scope, replaced);
    }
    readPages += 1;
    if (readPages >= most) break;
  }
  return isReplaced;
}
