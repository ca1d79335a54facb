import { sql } from 'kysely';
import { applyChanges } from '../../text/document.ts';
import { relabelling } from '../../text/edits/relabel.ts';
import { reading } from '../../text/read.ts';
import type { Sliced } from '../../text/sliced.ts';
import type { StatusRegistry } from '../../text/status-registry.ts';
import { eachInTurn, type OwnTurns } from '../common/text-turns.ts';
import { raiseWantedCopies } from '../queue/wanted-copies.ts';
import { publish } from '../store/live-events.ts';
import { lockTenant } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { Template } from './templates.ts';
import { addVersions, NO_AUTHOR } from './versions.ts';

/** The templates of a project, or (`null`) of the site and all projects, and how their texts are read. */
export interface StatusScope {
  store: Store;
  tenant: string;
  project: string | null;
  statuses: { of(project: string | undefined): StatusRegistry };
  /** Whose turn the reading of large texts is. */
  turns: OwnTurns;
}

type StatusText = Pick<Template, 'id' | 'project' | 'text'>;
const textOf = ({ text }: StatusText) => text;

/** Most texts that are loaded at once. */
const PAGE = 20;

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
        .limit(PAGE)
        .execute(),
    );
    yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

/** Counts the templates with an item that has a status. */
export async function countStatus(scope: StatusScope, slug: string): Promise<number> {
  function* has({ project, text }: StatusText): Sliced<boolean> {
    const { rows } = yield* reading(text, scope.statuses.of(project ?? undefined));
    return rows.some(row => row.kind === 'checkbox' && row.status.slug === slug);
  }
  let count = 0;
  for await (const page of pages(scope)) {
    count += (await eachInTurn(scope.turns, page, textOf, has)).filter(Boolean).length;
  }
  return count;
}

/** Replaces texts, without an author. Resolves with those that others changed meanwhile, as they are now. */
async function replace(
  { store, tenant }: StatusScope,
  replaced: readonly { template: StatusText; text: string }[],
): Promise<StatusText[]> {
  if (replaced.length === 0) return [];
  return store.tenant(tenant, async tx => {
    await lockTenant(tx, tenant);
    const ids = replaced.map(({ template }) => template.id);
    const now = await texts(tx, tenant).where('id', 'in', ids).execute();
    const current = new Map(now.map(template => [template.id, template]));
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
 * without the tenant's lock, and again where they were changed meanwhile. Resolves with whether some text was replaced.
 * `most` pages of templates are read.
 */
export async function relabelTemplates(
  scope: StatusScope,
  moves: ReadonlyMap<string, string>,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  function* relabelled({ project, text }: StatusText): Sliced<string> {
    const checklist = yield* reading(text, scope.statuses.of(project ?? undefined));
    return applyChanges(text, yield* relabelling(checklist, moves));
  }
  let isReplaced = false;
  let read = 0;
  for await (const page of pages(scope)) {
    for (let left = page; left.length > 0; ) {
      const written = await eachInTurn(scope.turns, left, textOf, relabelled);
      const replaced = left.flatMap((template, index) => {
        const { [index]: text = template.text } = written;
        return text === template.text ? [] : { template, text };
      });
      isReplaced ||= replaced.length > 0;
      left = await replace(scope, replaced);
    }
    read += 1;
    if (read >= most) break;
  }
  return isReplaced;
}
