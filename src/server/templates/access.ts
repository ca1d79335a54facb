import { templates as messages, refusals } from '../../domain/messages.ts';
import { flagsInProject, flagsInProjects, isSiteAdmin } from '../access/project-permissions.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import type { Store } from '../store/store.ts';
import { getTemplate, templateOwners } from './templates.ts';
import type { ListedTemplate } from './types.ts';

/** Checks permissions on templates, without a cache. */
export interface TemplateAccess {
  notFound(): Refused;
  known(id: string): Promise<ListedTemplate>;
  /** Rejects without the permission to use a project's templates, or (`null`) without site administration. */
  requireUse(project: string | null): Promise<void>;
  /** A template after a check of the permission to use it; `project` is the target of a site template. */
  usable(id: string, project: string | undefined): Promise<ListedTemplate>;
  /** The templates that the caller has permission to change. */
  changeable(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export function templateAccess(store: Store, caller: Caller, tracker: Tracker): TemplateAccess {
  const { tenant } = caller;
  const notFound = () => new Refused('NOT_FOUND', messages.notFound, 'id');

  async function requireUse(project: string | null): Promise<void> {
    const isAllowed =
      project === null
        ? await isSiteAdmin(caller, tracker)
        : (await flagsInProject(caller, tracker, project)).canImportTemplate;
    if (!isAllowed) throw new Refused('FORBIDDEN', refusals.permission);
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
      const owners = await store.tenant(tenant.id, tx => templateOwners(tx, tenant.id, ids));
      if (owners.length === 0 || (await isSiteAdmin(caller, tracker))) return new Set(owners.map(({ id }) => id));
      const flags = await flagsInProjects(
        caller,
        tracker,
        owners.flatMap(({ project }) => project ?? []),
      );
      const isAllowed = (project: string | null) =>
        project !== null && (flags.get(project)?.canManageTemplates ?? false);
      return new Set(owners.flatMap(({ id, project }) => (isAllowed(project) ? id : [])));
    },
  };
}
