import { templates as messages, refusals } from '../../domain/messages.ts';
import { flagsInProject, flagsInProjects, isSiteAdmin } from '../auth/project-permissions.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import type { Store } from '../store/store.ts';
import { getTemplate, templateOwners } from './templates.ts';
import type { ListedTemplate } from './types.ts';

/** Which templates somebody may use; whom they are for is asked of the tracker each time. */
export interface TemplateAccess {
  notFound(): Refused;
  known(id: string): Promise<ListedTemplate>;
  /** Rejects unless the caller may use the templates of a project; those of the site are for its administrators else. */
  requireUse(project: string | null): Promise<void>;
  /** One that the caller may use; `project` is where one of the site is to be used. */
  usable(id: string, project: string | undefined): Promise<ListedTemplate>;
  /** Those that the caller may change. */
  changeable(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export function templateAccess(store: Store, caller: Caller, tracker: Tracker): TemplateAccess {
  const { tenant } = caller;
  const notFound = () => new Refused('NOT_FOUND', messages.notFound, 'id');

  async function requireUse(project: string | null): Promise<void> {
    const may =
      project === null
        ? await isSiteAdmin(caller, tracker)
        : (await flagsInProject(caller, tracker, project)).canImportTemplate;
    if (!may) throw new Refused('FORBIDDEN', refusals.permission);
  }

  async function known(id: string): Promise<ListedTemplate> {
    const template = await store.tenant(tenant.id, tx => getTemplate(tx, tenant.id, id));
    if (!template) throw notFound();
    return template;
  }

  return {
    notFound,
    known,
    requireUse,
    async usable(id, project) {
      const template = await known(id);
      await requireUse(template.project ?? project ?? null);
      return template;
    },
    async changeable(ids) {
      const found = await store.tenant(tenant.id, tx => templateOwners(tx, tenant.id, ids));
      if (found.length === 0 || (await isSiteAdmin(caller, tracker))) return new Set(found.map(({ id }) => id));
      const flags = await flagsInProjects(
        caller,
        tracker,
        found.flatMap(({ project }) => project ?? []),
      );
      const may = (project: string | null) => project !== null && (flags.get(project)?.canManageTemplates ?? false);
      return new Set(found.flatMap(({ id, project }) => (may(project) ? id : [])));
    },
  };
}
