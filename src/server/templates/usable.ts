import { normalName } from '../../text/status-registry.ts';
import type { Tx } from '../store/tables.ts';
import { type DefaultTemplate, defaultOf, listed, type Template } from './templates.ts';
import type { ListedTemplate } from './types.ts';

/** The templates for a project, the default template first, then by name. Without a project, the site's templates. */
const usable = (tx: Tx, tenant: string, project: string | null, first: DefaultTemplate) =>
  listed(tx, tenant, first)
    .where(eb => eb.or([eb('project', 'is', null), ...(project ? [eb('project', '=', project)] : [])]))
    .orderBy('isDefault', 'desc')
    .orderBy('key')
    .orderBy('id');

/** A page of them: a site may have any number. */
export const usableTemplates = async (
  tx: Tx,
  tenant: string,
  project: string | null,
  { first, skip = 0 }: { first: number; skip?: number },
): Promise<ListedTemplate[]> =>
  usable(tx, tenant, project, await defaultOf(tx, tenant, project))
    .limit(first)
    .offset(skip)
    .execute();

/** The templates with these ids. Without ids, the project's own templates, or the site's. */
export const templatesToFile = async (
  tx: Tx,
  tenant: string,
  project: string | null,
  ids: readonly string[],
): Promise<Pick<Template, 'name' | 'text'>[]> =>
  usable(tx, tenant, project, await defaultOf(tx, tenant, project))
    .where(eb => (ids.length > 0 ? eb('id', 'in', ids) : eb('project', project === null ? 'is' : '=', project)))
    .execute();

/** The id of the template for a project that has this id, else this name. */
export async function usableTemplate(
  tx: Tx,
  tenant: string,
  project: string,
  idOrName: string,
): Promise<string | undefined> {
  const matchingTemplates = await usable(tx, tenant, project, await defaultOf(tx, tenant, project))
    .where(eb => eb.or([eb('id', '=', idOrName), eb('key', '=', normalName(idOrName))]))
    .execute();
  return (matchingTemplates.find(({ id }) => id === idOrName) ?? matchingTemplates[0])?.id;
}
