import { templates as messages, refusals } from '../../domain/messages.ts';
import { loadAssignments } from '../assignments/records.ts';
import type { Caller } from '../connect/tokens.ts';
import { Refused } from '../refused.ts';
import { flagsInProject, flagsInProjects, isSiteAdmin } from '../scope.ts';
import type { Store } from '../store/store.ts';
import type { Tracker } from '../tracker/client.ts';
import type { TemplateAccess } from './access.ts';
import { fileTemplates } from './templates.ts';
import type { FiledTemplate, TemplateFolder, Templates } from './types.ts';
import { countUses } from './uses.ts';
import { listVersions, type VersionsOf, versionAt, versionProjects } from './versions.ts';

export interface ViewsOptions {
  store: Store;
  caller: Caller;
  tracker: Tracker;
  access: TemplateAccess;
}

/** Most templates of a tree, and most versions of a page. */
const MOST = 5_000;
const MOST_VERSIONS = 100;
/** Versions are numbered by what a database calls an integer. */
const isVersion = (version: number) => Number.isInteger(version) && version > 0 && version < 2 ** 31;

/** What somebody who writes templates looks at beside them. */
export function templateViews({
  store,
  caller,
  tracker,
  access,
}: ViewsOptions): Pick<Templates, 'tree' | 'versions' | 'version' | 'usage'> {
  const { tenant } = caller;

  const tree: Templates['tree'] = async here => {
    const admin = await isSiteAdmin(caller, tracker);
    const found = await store.tenant(tenant.id, tx => fileTemplates(tx, tenant.id, MOST + 1));
    const filed = new Map<string | null, FiledTemplate[]>();
    if (here !== undefined) filed.set(here, []);
    for (const { project, ...template } of found.slice(0, MOST)) {
      const folder = filed.get(project) ?? [];
      folder.push(template);
      filed.set(project, folder);
    }
    const projects = [...filed.keys()].filter(project => project !== null);
    const flags = admin ? undefined : await flagsInProjects(caller, tracker, projects);
    const folders: TemplateFolder[] = projects.flatMap(project => {
      const { canImportTemplate, canManageTemplates } = flags?.get(project) ?? {
        ...{ canImportTemplate: admin, canManageTemplates: admin },
      };
      return canImportTemplate ? [{ project, mayChange: canManageTemplates, templates: filed.get(project) ?? [] }] : [];
    });
    // Those of the site can be used wherever any can.
    if (!admin && folders.length === 0) throw new Refused('FORBIDDEN', refusals.permission);
    return {
      folders: [{ project: null, mayChange: admin, templates: filed.get(null) ?? [] }, ...folders],
      more: found.length > MOST,
    };
  };

  /** Of a template that is for the whole site now, what it said for a project alone stays with those who may use that one's. */
  async function readable(id: string, project: string | undefined): Promise<VersionsOf> {
    const template = await access.usable(id, project);
    const all = await store.tenant(tenant.id, tx => versionProjects(tx, tenant.id, id));
    const others = all.filter(each => each !== template.project);
    if (others.length === 0 || (await isSiteAdmin(caller, tracker))) return { id, projects: all };
    const flags = await flagsInProjects(caller, tracker, others);
    const may = (each: string) => each === template.project || (flags.get(each)?.canImportTemplate ?? false);
    return { id, projects: all.filter(may) };
  }

  const versions: Templates['versions'] = async (id, { project, before, first }) => {
    const of = await readable(id, project);
    if (before !== undefined && !isVersion(before)) return { versions: [], next: null };
    const page = { before, first: Math.min(Math.max(first, 1), MOST_VERSIONS) };
    return store.tenant(tenant.id, tx => listVersions(tx, tenant.id, of, page));
  };

  const version: Templates['version'] = async (id, number, project) => {
    const of = await readable(id, project);
    const found = isVersion(number)
      ? await store.tenant(tenant.id, tx => versionAt(tx, tenant.id, of, number))
      : undefined;
    if (!found) throw new Refused('NOT_FOUND', messages.versionNotFound, 'version');
    return found;
  };

  /** The project whose rules the caller may see; `null` is the whole site, `undefined` none. */
  async function administered(project: string | undefined): Promise<string | null | undefined> {
    if (await isSiteAdmin(caller, tracker)) return null;
    const may = project !== undefined && (await flagsInProject(caller, tracker, project)).canManageTemplates;
    return may ? project : undefined;
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
