import { templates as messages, refusals } from '../../domain/messages.ts';
import { flagsInProject, flagsInProjects, isSiteAdmin } from '../access/project-permissions.ts';
import { Refused } from '../errors/refused.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import type { Store } from '../store/store.ts';
import type { TemplateAccess } from './access.ts';
import { loadAssignments } from './assignments.ts';
import { fileTemplates, isTemplateId, templateProjects } from './templates.ts';
import type { FiledTemplate, TemplateFolder, Templates } from './types.ts';
import { countUses } from './uses.ts';
import { listVersions, type VersionsOf, versionAt, versionProjects } from './versions.ts';

export interface ViewsOptions {
  store: Store;
  caller: Caller;
  tracker: Tracker;
  access: TemplateAccess;
}

/** Limits of a page of templates, and of a page of versions. */
const MAX_PAGE_SIZE = 5_000;
const MAX_VERSIONS = 100;
/** Whether a number fits the database's integers. */
const isVersion = (version: number) => Number.isInteger(version) && version > 0 && version < 2 ** 31;

/** The versions that the caller has permission to read, and the projects of all versions. */
interface Readable extends VersionsOf {
  all: readonly string[];
}

/** The queries of templates besides lists: folders, versions and uses. */
export function templateViews({
  store,
  caller,
  tracker,
  access,
}: ViewsOptions): Pick<Templates, 'tree' | 'versions' | 'version' | 'usage'> {
  const { tenant } = caller;

  const tree: Templates['tree'] = async ({ project: here, after }) => {
    if (after !== undefined && !isTemplateId(after)) throw access.notFound();
    const admin = await isSiteAdmin(caller, tracker);
    const { found, projects } = await store.tenant(tenant.id, async tx => ({
      found: await fileTemplates(tx, tenant.id, { after, most: MAX_PAGE_SIZE + 1 }),
      projects: [...new Set([...(here === undefined ? [] : [here]), ...(await templateProjects(tx, tenant.id))])],
    }));
    const page = found.slice(0, MAX_PAGE_SIZE);
    const filed = new Map<string | null, FiledTemplate[]>();
    for (const { project, ...template } of page) {
      const folder = filed.get(project) ?? [];
      folder.push(template);
      filed.set(project, folder);
    }
    const flags = admin ? undefined : await flagsInProjects(caller, tracker, projects);
    const usable = projects.flatMap((project): TemplateFolder | [] => {
      const { canImportTemplate, canManageTemplates } = flags?.get(project) ?? {
        ...{ canImportTemplate: admin, canManageTemplates: admin },
      };
      return canImportTemplate ? { project, mayChange: canManageTemplates, templates: filed.get(project) ?? [] } : [];
    });
    // Site templates need the permission in any project.
    if (!admin && usable.length === 0) throw new Refused('FORBIDDEN', refusals.permission);
    return {
      folders: [
        { project: null, mayChange: admin, templates: filed.get(null) ?? [] },
        ...usable.filter(({ project, templates }) => templates.length > 0 || project === here),
      ],
      next: found.length > MAX_PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    };
  };

  /** Versions of another project need the permission to use that project's templates. */
  async function readable(id: string, project: string | undefined): Promise<Readable> {
    const template = await access.usable(id, project);
    const allProjects = await store.tenant(tenant.id, tx => versionProjects(tx, tenant.id, id));
    const otherProjects = allProjects.filter(each => each !== template.project);
    if (otherProjects.length === 0 || (await isSiteAdmin(caller, tracker)))
      return { id, projects: allProjects, all: allProjects };
    const flags = await flagsInProjects(caller, tracker, otherProjects);
    const isAllowed = (each: string) => each === template.project || (flags.get(each)?.canImportTemplate ?? false);
    return { id, projects: allProjects.filter(isAllowed), all: allProjects };
  }

  const versions: Templates['versions'] = async (id, { project, before, first }) => {
    const of = await readable(id, project);
    if (before !== undefined && !isVersion(before)) return { versions: [], next: null };
    const page = { before, first: Math.min(Math.max(first, 1), MAX_VERSIONS) };
    return store.tenant(tenant.id, tx => listVersions(tx, tenant.id, of, page));
  };

  const version: Templates['version'] = async (id, number, project) => {
    const { projects, all } = await readable(id, project);
    const templateVersion = isVersion(number)
      ? await store.tenant(tenant.id, tx => versionAt(tx, tenant.id, { id, projects: all }, number))
      : undefined;
    if (!templateVersion) throw new Refused('NOT_FOUND', messages.versionNotFound, 'version');
    if (templateVersion.project !== null && !projects.includes(templateVersion.project)) {
      throw new Refused('FORBIDDEN', messages.versionHidden, 'version');
    }
    return templateVersion;
  };

  /** The project whose rules the caller has permission to see; `null` is the whole site, `undefined` none. */
  async function administered(project: string | undefined): Promise<string | null | undefined> {
    if (await isSiteAdmin(caller, tracker)) return null;
    const isAllowed = project !== undefined && (await flagsInProject(caller, tracker, project)).canManageTemplates;
    return isAllowed ? project : undefined;
  }

  const usage: Templates['usage'] = async (id, project) => {
    const template = await access.usable(id, project);
    const place = await administered(template.project ?? project);
    return store.tenant(tenant.id, async tx => {
      const rules = (await loadAssignments(tx, tenant.id)).filter(
        rule =>
          rule.template === id &&
          (place === null || rule.projects.length === 0 || (place !== undefined && rule.projects.includes(place))),
      );
      return { issues: await countUses(tx, tenant.id, id), rules: place === undefined ? null : rules };
    });
  };

  return { tree, versions, version, usage };
}
