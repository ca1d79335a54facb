import { readJson } from '../../domain/shape.ts';
import { DASHBOARD, type FrameContext } from '../connect/frames.ts';
import type { Context, Forge } from '../context.ts';
import type { ModuleFilter } from '../host/modules.ts';
import type { Caller } from '../permissions.ts';
import { holds } from '../permissions.ts';
import type { Issue, Project } from '../site/model.ts';
import { typeOf } from '../site/site.ts';
import type { ForgeModule, ModulePlace, RuleKind } from '../wire/modules.ts';
import { type DisplayConditions, isShown } from './conditions.ts';
import { extensionAri } from './identifiers.ts';
import type { Manifest } from './manifest.ts';
import { environmentIdentifier, type ForgePlatform, keyOf } from './platform.ts';

/** A module of any type, reduced to what mounting needs. */
interface Mountable {
  type: string;
  moduleKey: string;
  /** Of the page, if the module has several. */
  route?: string;
  name: string;
  resource: string;
  endpoint: string;
  icon?: string | undefined;
  label?: string;
  conditions: DisplayConditions;
  /** Visible without a licence, to portal customers. */
  isForCustomers: boolean;
  /** The platform's own condition on the type. */
  permission?: string;
  /** Of a module for workflow rules, and its page. */
  gadget?: 'gadget' | 'gadget-edit';
  rule?: { kind: RuleKind; description: string; entry: 'create' | 'edit' | 'view' };
}

type Placed = Manifest['modules']['jira:issuePanel'][number];

const mountable = (type: string, module: Placed, more: Partial<Mountable> = {}): Mountable => ({
  type,
  moduleKey: module.key,
  name: module.title,
  resource: module.resource,
  endpoint: module.resolver.endpoint,
  icon: module.icon,
  conditions: module.displayConditions,
  isForCustomers: module.unlicensedAccess.includes('customer'),
  ...more,
});

/** The pages of modules for workflow rules. The manifest's resources are one. */
function rulePages(modules: Manifest['modules'], place: 'rule-create' | 'rule-edit' | 'rule-view'): Mountable[] {
  const entry = ({ 'rule-create': 'create', 'rule-edit': 'edit', 'rule-view': 'view' } as const)[place];
  return (['validator', 'condition'] as const).flatMap(kind => {
    const type = ruleTypes[kind];
    return modules[type].flatMap(({ key, name, description, resolver, [entry]: page }) =>
      page
        ? {
            ...{ type, moduleKey: key, name, resource: page.resource, endpoint: resolver.endpoint, conditions: {} },
            ...{ isForCustomers: false, rule: { kind, description, entry } },
          }
        : [],
    );
  });
}

const ruleTypes = { validator: 'jira:workflowValidator', condition: 'jira:workflowCondition' } as const;

function mountables({ modules }: Manifest, place: ModulePlace): Mountable[] {
  const admin = (isMeant: (module: Manifest['modules']['jira:adminPage'][number]) => boolean) =>
    modules['jira:adminPage']
      .filter(isMeant)
      .map(module => mountable('jira:adminPage', module, { permission: 'ADMINISTER' }));
  switch (place) {
    case 'issue-content':
      return modules['jira:issuePanel'].map(module => mountable('jira:issuePanel', module));
    case 'issue-context':
      return modules['jira:issueContext'].map(module =>
        mountable('jira:issueContext', module, { label: module.label }),
      );
    case 'portal': {
      const type = 'jiraServiceManagement:portalRequestDetail';
      return modules[type].map(module => mountable(type, module));
    }
    case 'project-admin': {
      const type = 'jira:projectSettingsPage';
      return modules[type].map(module => mountable(type, module, { permission: 'ADMINISTER_PROJECTS' }));
    }
    case 'project-page': {
      const type = 'jira:projectPage';
      return modules[type].map(module => mountable(type, module));
    }
    case 'general':
      return modules['jira:globalPage'].flatMap(module => {
        const page = mountable('jira:globalPage', module);
        const pages = module.pages.map(({ title, route }) => ({ ...page, name: title, route }));
        return pages.length > 0 ? pages : [page];
      });
    case 'admin':
      return admin(({ useAsConfig, useAsGetStarted }) => !useAsConfig && !useAsGetStarted);
    case 'configure':
      return admin(({ useAsConfig }) => useAsConfig);
    case 'post-install':
      return admin(({ useAsGetStarted }) => useAsGetStarted);
    case 'rule-create':
    case 'rule-edit':
    case 'rule-view':
      return rulePages(modules, place);
    case 'gadget':
    case 'gadget-edit': {
      const type = 'jira:dashboardGadget';
      return modules[type].flatMap(module => {
        const resource = place === 'gadget' ? module.resource : module.edit?.resource;
        return resource === undefined ? [] : mountable(type, module, { resource, gadget: place });
      });
    }
    case 'dialog':
      // A modal shows the page of the frame that opens it.
      return [];
  }
}

/** A module as shown to a user, and the endpoint of its `invokeRemote`. */
export interface Mounted {
  module: ForgeModule;
  type: string;
  endpoint: string;
}

/** The caller's Forge modules at a place, conditions evaluated. */
export function forgeModulesAt(
  { site, forge }: Context,
  caller: Caller,
  place: ModulePlace,
  about: FrameContext,
  { addonKey, key }: ModuleFilter,
): Mounted[] {
  if (!forge?.app.installed() || caller.kind !== 'person') return [];
  const { platform } = forge;
  const appKey = keyOf(platform);
  if (addonKey !== undefined && addonKey !== appKey) return [];
  const conditionContext = { ...about, site, caller, appKey };
  return mountables(platform.manifest, place)
    .filter(({ moduleKey, route }) => key === undefined || key === route || key === moduleKey)
    .filter(({ isForCustomers }) => caller.person.role !== 'customer' || isForCustomers)
    .filter(({ permission }) => permission === undefined || holds(caller, permission, about))
    .filter(({ conditions }) => isShown(conditions, conditionContext))
    .map(module => ({
      type: module.type,
      endpoint: module.endpoint,
      module: moduleOf(forge, module, caller.person.accountId, site.url, about),
    }));
}

function moduleOf(
  { platform, panels, app }: Forge,
  { type, moduleKey, route, name, resource, icon, label, rule, gadget }: Mountable,
  accountId: string,
  siteUrl: string,
  about: FrameContext,
): ForgeModule {
  const { resourceOrigin, environment, appId } = platform;
  const { project } = about;
  return {
    framework: 'forge',
    addonKey: keyOf(platform),
    key: route ?? moduleKey,
    name,
    ...(icon !== undefined && { icon: iconUrl(platform, icon) }),
    ...(label !== undefined && { label }),
    ...(rule && { rule: { kind: rule.kind, description: rule.description } }),
    url: `${resourceOrigin}/${resource}/index.html?hostname=${encodeURIComponent(siteUrl)}`,
    contentPresent: type !== 'jira:issuePanel' || (project !== undefined && panels.isPinned(moduleKey, project.id)),
    context: {
      accountId,
      cloudId: app.cloudId,
      siteUrl,
      environmentId: environmentIdentifier(platform),
      environmentType: environment.type,
      locale: 'en-US',
      timezone: 'Europe/Berlin',
      moduleKey,
      localId: extensionAri(appId, environment.id, moduleKey),
      extension: {
        type,
        ...(rule ? ruleExtension(rule, about) : gadget ? gadgetExtension(gadget, about) : extensionOf(type, about)),
      },
    },
  };
}

/** The page of a rule, and its configuration. The documentation names the latter only. */
function ruleExtension(
  { kind, entry }: NonNullable<Mountable['rule']>,
  { rule }: FrameContext,
): Record<string, unknown> {
  const config: unknown = rule && readJson(rule.config);
  return { entryPoint: entry, isNewEditor: true, ...(rule && { [`${kind}Config`]: config }) };
}

/** The gadget of a frame, and its configuration. */
const gadgetExtension = (place: 'gadget' | 'gadget-edit', { gadget }: FrameContext): Record<string, unknown> => ({
  ...(place === 'gadget-edit' && { entryPoint: 'edit' }),
  ...(gadget && { gadgetConfiguration: gadget.config ?? {}, gadget: { id: gadget.id }, dashboard: { id: DASHBOARD } }),
});

/** `resource:main;images/logo.svg` */
const iconUrl = ({ resourceOrigin }: ForgePlatform, icon: string): string =>
  icon.replace(/^resource:([^;]+);/, `${resourceOrigin}/$1/`);

/** The location context of a module by its type (Forge, "Context" of each module). */
function extensionOf(type: string, { issue, project }: FrameContext): Record<string, unknown> {
  if (type === 'jira:globalPage' || type === 'jira:adminPage') return {};
  const ofProject = project && { project: projectOf(project) };
  if (type === 'jira:projectSettingsPage' || type === 'jira:projectPage') return { ...ofProject };
  if (!issue) return {};
  if (type === 'jiraServiceManagement:portalRequestDetail') {
    return { portal: { id: Number(issue.projectId) }, request: { key: issue.key, typeId: Number(issue.typeId) } };
  }
  return { issue: issueOf(issue), ...ofProject };
}

const projectOf = ({ id, key, kind }: Project) => ({
  id,
  key,
  type: kind === 'service' ? 'service_desk' : 'software',
});
const issueOf = ({ id, key, typeId }: Issue) => ({ id, key, type: typeOf(typeId).name, typeId });
