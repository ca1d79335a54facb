import type { Installed } from '../connect/addon.ts';
import { areAllMet } from '../connect/conditions.ts';
import type { Condition, Descriptor } from '../connect/descriptor.ts';
import { type FrameContext, frameUrl } from '../connect/frames.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../permissions.ts';
import { isShown, visibleIssue, visibleProject } from '../rest/access.ts';
import { ownGadget } from '../rest/gadgets.ts';
import { administeredRule } from '../rest/workflow-rules.ts';
import { projectOf, type Site } from '../site/site.ts';
import type { ConnectModule, ModulePlace } from '../wire/modules.ts';

/** A module of any type, reduced to what mounting needs. */
interface Mountable {
  key: string;
  name: string;
  url: string;
  conditions: Condition[];
  icon?: string;
  label?: string;
  contentPresentConditions?: Condition[];
  rule?: ConnectModule['rule'];
  dialog?: ConnectModule['dialog'];
}

/** The issue with its project, or the project, of a page. Throws 404 if the caller has no access. */
export function contextOf(
  context: Context,
  caller: Caller,
  {
    issueKey,
    projectKey,
    rule,
    gadget,
  }: Partial<Record<'issueKey' | 'projectKey' | 'rule' | 'gadget', string | undefined>>,
): FrameContext {
  if (gadget !== undefined) return { gadget: ownGadget(context, caller, gadget) };
  if (rule !== undefined) return { rule: administeredRule(context, caller, rule) };
  if (issueKey) {
    const issue = visibleIssue(context, caller, issueKey, isShown);
    return { issue, project: projectOf(context.site, issue) };
  }
  return projectKey ? { project: visibleProject(context, caller, projectKey) } : {};
}

/** Filters the modules of a place by add-on and key. */
export interface ModuleFilter {
  addonKey?: string | undefined;
  key?: string | undefined;
}

/** The caller's Connect modules at a place, conditions evaluated, addresses signed. */
export async function modulesAt(
  { site, addons }: Context,
  caller: Caller,
  place: ModulePlace,
  about: FrameContext,
  { addonKey, key }: ModuleFilter,
): Promise<ConnectModule[]> {
  if (caller.kind !== 'person') return [];
  const modulesByAddon = addons
    .flatMap(addon => addon.installed() ?? [])
    .filter(({ descriptor }) => addonKey === undefined || descriptor.key === addonKey)
    .map(installed => modulesOf(site, installed, caller, { place, about, key }));
  return (await Promise.all(modulesByAddon)).flat();
}

async function modulesOf(
  site: Site,
  installed: Installed,
  caller: Caller & { kind: 'person' },
  { place, about, key }: { place: ModulePlace; about: FrameContext; key: string | undefined },
): Promise<ConnectModule[]> {
  const { descriptor } = installed;
  const conditionContext = { ...about, site, caller, addonKey: descriptor.key };
  const { issue, project } = about;
  const shown = mountables(descriptor, place)
    .filter(module => key === undefined || module.key === key)
    .filter(module => areAllMet(module.conditions, conditionContext));
  return Promise.all(
    shown.map(async ({ icon, label, dialog, rule, contentPresentConditions, ...module }) => ({
      framework: 'connect' as const,
      addonKey: descriptor.key,
      key: module.key,
      name: module.name,
      ...(icon !== undefined && { icon: /^https?:/.test(icon) ? icon : `${descriptor.baseUrl}${icon}` }),
      ...(label !== undefined && { label }),
      ...(rule && { rule }),
      url: await frameUrl({ ...installed, siteUrl: site.url }, module, caller.person.accountId, about),
      ...(dialog && { dialog }),
      structuredContext: {
        jira: {
          ...(issue && { issue: { id: issue.id, key: issue.key } }),
          ...(project && { project: { id: project.id, key: project.key } }),
        },
      },
      contentPresent: areAllMet(contentPresentConditions ?? [], conditionContext),
    })),
  );
}

/** The pages of modules for workflow rules: of a new one, an existing one, or its summary. */
function rulePages(modules: Descriptor['modules'], place: 'rule-create' | 'rule-edit' | 'rule-view'): Mountable[] {
  const entry = ({ 'rule-create': 'create', 'rule-edit': 'edit', 'rule-view': 'view' } as const)[place];
  const kinds = [
    ['validator', modules.jiraWorkflowValidators],
    ['condition', modules.jiraWorkflowConditions],
  ] as const;
  return kinds.flatMap(([kind, rules]) =>
    rules.flatMap(({ key, name, description, [entry]: page }) =>
      page
        ? [
            {
              key,
              name: name.value,
              url: page.url,
              conditions: [],
              rule: { kind, description: description?.value ?? '' },
            },
          ]
        : [],
    ),
  );
}

function mountables({ name, modules }: Descriptor, place: ModulePlace): Mountable[] {
  const page = (entry: { key: string; name: { value: string }; url: string; conditions: Condition[] }): Mountable => ({
    ...entry,
    name: entry.name.value,
  });
  const pages = [...modules.generalPages, ...modules.adminPages].map(page);
  switch (place) {
    case 'issue-content':
      return modules.jiraIssueContents.map(entry => ({
        ...entry,
        name: entry.name.value,
        url: entry.target.url,
        icon: entry.icon.url,
      }));
    case 'issue-context':
      return modules.jiraIssueContexts.map(entry => ({
        ...entry,
        name: entry.name.value,
        url: entry.target.url,
        icon: entry.icon.url,
        label: entry.content.label.value,
      }));
    case 'portal':
      return [...modules.serviceDeskPortalRequestViewPanels]
        .sort((a, b) => a.weight - b.weight)
        .map(entry => ({ ...entry, name }));
    case 'project-admin':
      return modules.jiraProjectAdminTabPanels.map(page);
    case 'general':
      return modules.generalPages.map(page);
    case 'project-page':
      return modules.jiraProjectPages.map(page);
    case 'admin':
      return modules.adminPages.map(page);
    case 'post-install':
      return modules.postInstallPage ? [page(modules.postInstallPage)] : [];
    case 'configure':
      return modules.configurePage ? [page(modules.configurePage)] : [];
    case 'rule-create':
    case 'rule-edit':
    case 'rule-view':
      return rulePages(modules, place);
    case 'gadget':
      return modules.jiraDashboardItems.map(page);
    case 'gadget-edit':
      // Connect has one frame for both.
      return [];
    case 'dialog':
      // A dialog may also show one of the pages.
      return [
        ...modules.dialogs.map(({ key, url, options }) => ({
          key,
          url,
          name,
          conditions: [],
          dialog: dialogOf(options),
        })),
        ...pages.map(entry => ({ ...entry, dialog: { chrome: true } })),
      ];
  }
}

const dialogOf = ({ size, width, height, chrome }: Descriptor['modules']['dialogs'][number]['options']) => ({
  ...(size !== undefined && { size: size.toLowerCase() }),
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
  chrome,
});
