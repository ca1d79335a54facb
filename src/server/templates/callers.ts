import { randomUUID } from 'node:crypto';
import { managing, templates as messages, refusals } from '../../domain/messages.ts';
import type { PermissionFlags } from '../../domain/permissions.ts';
import type { RegistryStatus } from '../../domain/statuses.ts';
import { hasRows } from '../../text/edits/rows.ts';
import { isSiteAdmin, requireAdmin } from '../access/project-permissions.ts';
import type { Refusing } from '../errors/refusal.ts';
import { Refused } from '../errors/refused.ts';
import type { Tenant } from '../platform/tenants.ts';
import type { Caller } from '../platform/tokens.ts';
import type { Tracker } from '../platform/tracker/client.ts';
import { readProject } from '../platform/tracker/issue.ts';
import type { WantedCopies } from '../queue/wanted-copies.ts';
import { publish } from '../store/live-events.ts';
import { lockTenant } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import type { Tx } from '../store/tables.ts';
import type { OwnTexts } from '../text-workers/pool.ts';
import type { RunTask } from '../text-workers/task.ts';
import { templateAccess } from './access.ts';
import { addTemplates, readTemplateFile, requireExportable, validTemplates, writeTemplateFile } from './files.ts';
import { freeName, maxTemplatesOf, requireFree, requireRoom, type TemplateLimits, templateName } from './rules.ts';
import {
  type CountedTemplate,
  countTemplates,
  deletedTemplate,
  deletedTemplates,
  findTemplates,
  getTemplate,
  markDeleted,
  putDefault,
  putTemplate,
  type Template,
} from './templates.ts';
import { countedItems, joinedText, requireSize, templateText, untickedText } from './text-tasks.ts';
import type { ListedTemplate, NewText, Templates } from './types.ts';
import { templatesToFile } from './usable.ts';
import { templateViews } from './views.ts';

export interface TemplatesOptions {
  store: Store;
  caller: Caller;
  tracker: Tracker;
  /** Reads the checklist of an issue for a new template. */
  checklists: {
    allowed(issueId: string, flag: keyof PermissionFlags): Promise<boolean>;
    read(issueId: string): Promise<{ text: string }>;
  };
  /** The statuses of projects, and of the site. */
  registries(tenant: Tenant): Promise<{ listOf(project: string | undefined): readonly RegistryStatus[] }>;
  limits: TemplateLimits;
  /** Runs tasks over texts for the caller. */
  texts: OwnTexts;
  copies: WantedCopies;
  refusing: Refusing;
}

const MAX_PAGE_SIZE = 100;

const MAX_DELETED = 200;

/**
 * A text is merged without the lock at most this many times. If the template changed each time, the last write merges
 * again under the lock.
 */
const MAX_MERGES = 3;

/** Another text was stored while a new one was merged with this one's predecessor. */
class Overtaken extends Error {
  /** The stored text, with which the next try merges. */
  readonly text: string;

  constructor(text: string) {
    super('The template was changed meanwhile.');
    this.text = text;
  }
}

/** Throws `Refused` for texts beyond a template's size before they are read. */
function requireSizes({ text, base }: NewText): void {
  requireSize(text);
  if (base !== undefined) requireSize(base, 'baseText');
}

export function callersTemplates(options: TemplatesOptions): Templates {
  const { store, caller, tracker, checklists, registries, limits, texts, copies, refusing } = options;
  const { tenant, account } = caller;
  const access = templateAccess(store, caller, tracker);
  const { notFound, known, requireUse } = access;
  const { tree, versions, version, usage } = templateViews({ store, caller, tracker, access });

  /** The template after locking. Throws `Refused` if its project changed since the permission check. */
  function same<Found extends Template>(currentTemplate: Found | undefined, before: Template): Found {
    if (!currentTemplate || currentTemplate.project !== before.project) throw notFound();
    return currentTemplate;
  }

  /** Runs changes one at a time for a tenant, each in a transaction. */
  async function change<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await store.tenant(tenant.id, async tx => {
      await lockTenant(tx, tenant.id);
      const result = await work(tx);
      await publish(tx, tenant.id, { kind: 'templates' });
      await copies.want(tx, tenant.id);
      return result;
    });
    copies.wake();
    return done;
  }

  async function written(tx: Tx, template: CountedTemplate): Promise<ListedTemplate> {
    await putTemplate(tx, tenant.id, account, template);
    const writtenTemplate = await getTemplate(tx, tenant.id, template.id);
    if (!writtenTemplate) throw notFound();
    return writtenTemplate;
  }

  const added = (tx: Tx, { project, name, text, items }: Omit<CountedTemplate, 'id'>): Promise<ListedTemplate> =>
    written(tx, { id: randomUUID(), project, name, text, items });

  async function create(template: Omit<Template, 'id'>): Promise<ListedTemplate> {
    const [items = 0] = await texts.run(countedItems, [template]);
    return change(async tx => {
      await requireFree(tx, tenant.id, template);
      await requireRoom(tx, tenant.id, template.project, limits);
      return added(tx, { ...template, items });
    });
  }

  const createFromText: Templates['createFromText'] = async ({ project, name, text }) => {
    await requireAdmin(caller, tracker, project);
    return create({ project, name: templateName(name), text: templateText(text) });
  };

  const createFromChecklist: Templates['createFromChecklist'] = async ({ project, issue, name, keepStatuses }) => {
    if (!(await checklists.allowed(issue, 'canSaveTemplate'))) throw new Refused('FORBIDDEN', refusals.permission);
    const home = (await readProject(tracker, issue)).id;
    if (project !== home) await requireAdmin(caller, tracker, project);
    const validName = templateName(name);
    const { text } = await checklists.read(issue);
    if (!hasRows(text)) throw new Refused('CHECKLIST_REQUIRED', messages.noChecklist, 'issueId');
    const statuses = (await registries(tenant)).listOf(home);
    const fresh = () => texts.run(untickedText, { text, statuses });
    return create({ project, name: validName, text: templateText(keepStatuses ? text : await fresh()) });
  };

  const duplicate: Templates['duplicate'] = async (id, to) => {
    const source = await known(id);
    const { project = source.project } = to;
    await requireAdmin(caller, tracker, project);
    if (source.project !== null && source.project !== project) await requireUse(source.project);
    return change(async tx => {
      const name =
        to.name === undefined
          ? await freeName(tx, tenant.id, { project, name: source.name, first: ' (copy)' })
          : templateName(to.name);
      await requireFree(tx, tenant.id, { project, name });
      await requireRoom(tx, tenant.id, project, limits);
      return added(tx, { project, name, text: source.text, items: source.items });
    });
  };

  const update: Templates['update'] = async (id, values) => {
    const before = await known(id);
    const { project = before.project } = values;
    await requireAdmin(caller, tracker, before.project);
    if (project !== before.project) await requireAdmin(caller, tracker, project);
    const statuses = (await registries(tenant)).listOf(before.project ?? undefined);
    const named = values.name === undefined ? undefined : templateName(values.name);
    if (values.text) requireSizes(values.text);
    const join = async (run: RunTask, stored: string) =>
      values.text && run(joinedText, { ...values.text, stored, statuses });
    const write = (run: RunTask, stored: string, joined: Awaited<ReturnType<typeof join>>, isLast: boolean) =>
      change(async tx => {
        const currentTemplate = same(await getTemplate(tx, tenant.id, id), before);
        const isOvertaken = values.text?.base !== undefined && currentTemplate.text !== stored;
        if (isOvertaken && !isLast) throw new Overtaken(currentTemplate.text);
        const name = named ?? currentTemplate.name;
        const { text, items } = (isOvertaken ? await join(run, currentTemplate.text) : joined) ?? currentTemplate;
        await requireFree(tx, tenant.id, { id, project, name });
        if (project !== currentTemplate.project) await requireRoom(tx, tenant.id, project, limits);
        return written(tx, { id, project, name, text, items });
      });
    for (let [stored, remainingMerges] = [before.text, MAX_MERGES]; ; remainingMerges--) {
      try {
        const joined = await join(texts.run, stored);
        return await texts.inTurnIfLarge(run => write(run, stored, joined, remainingMerges <= 1));
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        stored = error.text;
      }
    }
  };

  const remove: Templates['remove'] = async id => {
    const before = await known(id);
    await requireAdmin(caller, tracker, before.project);
    return change(async tx => {
      const currentTemplate = same(await getTemplate(tx, tenant.id, id), before);
      await markDeleted(tx, tenant.id, id);
      return currentTemplate;
    });
  };

  const deleted: Templates['deleted'] = async project => {
    await requireAdmin(caller, tracker, project ?? null);
    const of = project === undefined ? 'all' : (await isSiteAdmin(caller, tracker)) ? [project, null] : [project];
    return store.tenant(tenant.id, tx => deletedTemplates(tx, tenant.id, { of, most: MAX_DELETED }));
  };

  const restore: Templates['restore'] = async id => {
    const before = await store.tenant(tenant.id, tx => deletedTemplate(tx, tenant.id, id));
    if (!before) throw notFound();
    await requireAdmin(caller, tracker, before.project);
    return change(async tx => {
      const template = same(await deletedTemplate(tx, tenant.id, id), before);
      await requireFree(tx, tenant.id, template);
      await requireRoom(tx, tenant.id, template.project, limits);
      return written(tx, template);
    });
  };

  const setDefault: Templates['setDefault'] = async (project, id) => {
    await requireAdmin(caller, tracker, project);
    return change(async tx => {
      const template = id === null ? undefined : await getTemplate(tx, tenant.id, id);
      const usable = template && (template.project === null || template.project === project);
      if (id !== null && !usable) throw notFound();
      await putDefault(tx, tenant.id, project, id);
      return id === null ? null : ((await getTemplate(tx, tenant.id, id, project)) ?? null);
    });
  };

  const roomOf = async (tx: Tx, project: string | null) => {
    const most = maxTemplatesOf(limits, project);
    const count = await countTemplates(tx, tenant.id, project);
    return { count, most: most === Number.POSITIVE_INFINITY ? null : most };
  };

  const list: Templates['list'] = async query => {
    const { project = null } = query;
    await requireUse(project);
    const first = Math.min(Math.max(query.first, 1), MAX_PAGE_SIZE);
    const page = { ...query, first, skip: Math.max(query.skip, 0) };
    return store.tenant(tenant.id, async tx => ({
      ...(await findTemplates(tx, tenant.id, page)),
      room: { global: await roomOf(tx, null), project: project === null ? null : await roomOf(tx, project) },
    }));
  };

  const exported: Templates['export'] = async ({ project, ids }) => {
    await requireUse(project);
    await store.tenant(tenant.id, tx => requireExportable(tx, tenant.id, project, ids));
    return writeTemplateFile(await store.tenant(tenant.id, tx => templatesToFile(tx, tenant.id, project, ids)));
  };

  const imported: Templates['import'] = async ({ project, file }) => {
    await requireAdmin(caller, tracker, project);
    const { valid, notTaken } = await validTemplates(texts.run, readTemplateFile(file));
    return change(async tx => {
      const { templates, refused } = await addTemplates(tx, caller, { project, valid, limits });
      return { templates, notTaken: [...notTaken, ...refused] };
    });
  };

  return {
    list: query => refusing(list(query), managing.getTemplates),
    changeable: ids => refusing(access.changeable(ids), managing.getTemplates),
    find: (id, project) => refusing(access.usable(id, project), managing.getTemplates),
    tree: place => refusing(tree(place), managing.getTemplates),
    versions: (id, page) => refusing(versions(id, page), managing.getTemplates),
    version: (id, number, project) => refusing(version(id, number, project), managing.getTemplates),
    usage: (id, project) => refusing(usage(id, project), managing.getTemplates),
    createFromText: template => refusing(createFromText(template), managing.createTemplate),
    createFromChecklist: template => refusing(createFromChecklist(template), managing.createTemplate),
    duplicate: (id, to) => refusing(duplicate(id, to), managing.createTemplate),
    update: (id, values) => refusing(update(id, values), managing.updateTemplate),
    remove: id => refusing(remove(id), managing.deleteTemplate),
    deleted: project => refusing(deleted(project), managing.getTemplates),
    restore: id => refusing(restore(id), managing.createTemplate),
    setDefault: (project, id) => refusing(setDefault(project, id), managing.updateTemplate),
    export: query => refusing(exported(query), managing.getTemplates),
    import: target => refusing(imported(target), managing.createTemplate),
  };
}
