import { workflow } from '../domain/messages.ts';
import { places } from '../domain/pages.ts';
import { forgeRoutes, lifecycleEvents, subscribedEvents } from './events.ts';
import { placesOf, ruleEntries, type Shown, type WorkflowRule } from './places.ts';
import {
  type Names,
  panelPosition,
  permissions,
  progressFields,
  searchAliases,
  searchIndex,
  textField,
} from './product.ts';
import { type Past, scopesOf } from './scopes.ts';

/** Regions in which the platform can pin a site's data (Forge, "Remotes"). */
export const regions = ['EU', 'US', 'AU', 'DE', 'SG', 'CA', 'IN', 'KR', 'JP', 'GB', 'CH'] as const;
export type Region = (typeof regions)[number];

export interface ManifestValues {
  names: Names;
  past: Past;
  /** The app's UUID, which `forge register` makes. */
  appId: string;
  /** Our server's address: https, without a path. */
  remote: string;
  /** Servers that keep the data of a region, by the platform's name of it. Sites of other regions use `remote`. */
  regions?: Readonly<Partial<Record<Region, string>>> | undefined;
  /** The folder of the built pages, relative to the manifest. */
  pages: string;
  /** Whether the platform sells licences for the app. It then cannot be installed by a link. */
  licensed: boolean;
}

type DisplayConditions = Record<string, unknown>;

const BACKEND_KEY = 'backend';
const MAIN_RESOURCE_KEY = 'main';
const system = { appSystemToken: { enabled: true } };

/** A value of the issue property as text, empty if there is none. */
const progressExpression = (property: string, path: string): string =>
  `'' + (issue.properties['${property}']${path
    .split('.')
    .map(name => `?.${name}`)
    .join('')} ?? '')`;

/** The page that tells administrators of the move from Connect. */
const MIGRATION_GUIDE = 'https://support.smart-checklist.app/forge';

/** Whether a rule has a configuration, as a Jira expression. */
const HAS_CONFIGURATION = "(config?.expression ?? '') != ''";

/** The words of a rule's configuration, as a Jira expression. Rules saved by older pages have none: the description counts. */
const SUMMARY_EXPRESSION = "config?.summary ?? ''";

/** The Forge manifest of an edition: static pages in the tracker, and the app's own server (Forge Remote). */
export function manifest({ names, past, appId, remote, regions: ofRegions, pages: folder, licensed }: ManifestValues) {
  const { panels, context, portal, project, pages, projectPage, site, configure, start, rules, gadget } =
    placesOf(names);
  const migrated = past === 'connect' && { migratedFromConnect: true };
  const icon = `resource:${MAIN_RESOURCE_KEY};images/${names.logo}`;

  function displayConditions(shown: Shown): { displayConditions?: DisplayConditions } {
    const inCentre = {
      entityPropertyEqualTo: { entity: 'project', propertyKey: panelPosition(names), value: 'true' },
    };
    switch (shown) {
      case 'always':
        return {};
      case 'signed-in':
        return { displayConditions: { isLoggedIn: true } };
      case 'project-admin':
        return { displayConditions: { hasProjectPermission: 'ADMINISTER_PROJECTS' } };
      case 'site-admin':
        return { displayConditions: { isAdmin: true } };
      case 'panel-in-centre':
        return { displayConditions: inCentre };
      case 'panel-aside':
        // A property that is absent equals nothing: "not true" is the only condition that also holds then.
        return { displayConditions: { not: inCentre } };
    }
  }
  const frame = { resource: MAIN_RESOURCE_KEY, resolver: { endpoint: 'frames' } };
  const fullPage = { layout: 'blank', ...frame };
  const rulesOf = (kind: WorkflowRule['kind']) =>
    rules
      .filter(rule => rule.kind === kind)
      .map(({ key, title, description }) => ({
        key,
        name: title,
        description,
        // The configuration has the expression that counts. This one refuses a rule that was never configured. Should the
        // platform evaluate it for a rule that was saved on Connect, it lets transitions through rather than block a site.
        expression: HAS_CONFIGURATION,
        configurationDescription: { expression: SUMMARY_EXPRESSION },
        projectTypes: ['company-managed', 'team-managed'],
        resolver: frame.resolver,
        ...Object.fromEntries(ruleEntries.map(entry => [entry, { resource: MAIN_RESOURCE_KEY }])),
      }));
  const eventNames = (isOwn: boolean) => subscribedEvents.filter(each => each.own === isOwn).map(({ event }) => event);

  return {
    app: {
      id: `ari:cloud:ecosystem::app/${appId}`,
      runtime: { name: 'nodejs22.x' },
      // Keeps the identities of properties, permissions and fields. Never changes once it is in production.
      ...(past === 'connect' && { connect: { key: names.key, remote: BACKEND_KEY } }),
      ...(licensed && { licensing: { enabled: true } }),
    },
    remotes: [
      {
        key: BACKEND_KEY,
        baseUrl: ofRegions ? { default: remote, ...ofRegions } : remote,
        operations: ['storage', 'compute', 'fetch', 'other'],
        // Account ids and texts are stored there.
        storage: { inScopeEUD: true },
      },
    ],
    permissions: {
      scopes: scopesOf(past),
      // The text editor writes its style sheet into the page.
      content: { styles: ['unsafe-inline'] },
      // Pages call the app's server directly, above all for the event stream.
      external: { fetch: { client: [{ remote: BACKEND_KEY }] } },
    },
    resources: [{ key: MAIN_RESOURCE_KEY, path: folder }],
    modules: {
      // In place of the platform's warning of the end of Connect (CHANGE-3366).
      ...(past === 'connect' && {
        connectToForgeMigration: [
          { key: 'move', willMigrateToForgeBeforeEOS: 'YES', migrationGuideUrl: MIGRATION_GUIDE },
        ],
      }),
      endpoint: [
        { key: 'frames', remote: BACKEND_KEY, auth: { ...system, appUserToken: { enabled: true } } },
        // Customers of a portal: their calls need no token of their own, which the platform has for them since 2026 only
        // (CHANGE-3278).
        { key: 'customers', remote: BACKEND_KEY, auth: system },
        { key: 'on-lifecycle', remote: BACKEND_KEY, route: { path: forgeRoutes.lifecycle }, auth: system },
        { key: 'on-uninstall', remote: BACKEND_KEY, route: { path: forgeRoutes.uninstall }, auth: system },
        { key: 'on-event', remote: BACKEND_KEY, route: { path: forgeRoutes.events }, auth: system },
        { key: 'on-tick', remote: BACKEND_KEY, route: { path: forgeRoutes.tick }, auth: system },
      ],
      trigger: [
        { key: 'lifecycle', endpoint: 'on-lifecycle', events: lifecycleEvents },
        { key: 'issues', endpoint: 'on-event', events: eventNames(true) },
        { key: 'properties', endpoint: 'on-event', events: eventNames(false), filter: { ignoreSelf: true } },
      ],
      // Renews the app's token, which lives for some hours.
      scheduledTrigger: [{ key: 'token', endpoint: 'on-tick', interval: 'hour' }],
      preUninstall: [{ key: 'uninstall', endpoint: 'on-uninstall' }],
      'jira:issueContext': [
        {
          key: context.key,
          title: context.title,
          label: context.button,
          icon,
          ...frame,
          ...displayConditions(context.shown),
        },
      ],
      'jira:issuePanel': panels.map(({ key, title, shown }) => ({
        key,
        title,
        icon,
        ...frame,
        ...displayConditions(shown),
      })),
      'jiraServiceManagement:portalRequestDetail': [
        {
          key: portal.key,
          title: portal.title,
          resource: MAIN_RESOURCE_KEY,
          resolver: { endpoint: 'customers' },
          unlicensedAccess: ['customer', 'unlicensed'],
        },
      ],
      'jira:projectSettingsPage': [
        { key: project.key, title: project.title, icon, ...fullPage, ...displayConditions(project.shown) },
      ],
      'jira:projectPage': [
        { key: projectPage.key, title: projectPage.title, icon, ...fullPage, ...displayConditions(projectPage.shown) },
      ],
      // One module per app: each page is a route of it.
      'jira:globalPage': [
        {
          // As on Connect: the platform redirects addresses of Connect to the module with the same key.
          key: places.assigned.key,
          title: names.name,
          icon,
          ...fullPage,
          pages: pages.map(({ key, title }) => ({ title, route: key })),
          ...displayConditions('signed-in'),
        },
      ],
      'jira:adminPage': [
        { key: site.key, title: site.title, icon, ...fullPage, ...displayConditions(site.shown) },
        // These two are opened from the list of apps, which only administrators have.
        { key: configure.key, title: configure.title, ...fullPage, useAsConfig: true },
        { key: start.key, title: start.title, ...fullPage, useAsGetStarted: true },
      ],
      'jira:workflowValidator': rulesOf('validator').map(rule => ({ ...rule, errorMessage: workflow.refused })),
      'jira:workflowCondition': rulesOf('condition'),
      'jira:dashboardGadget': [
        {
          key: gadget.key,
          title: gadget.title,
          description: gadget.description,
          thumbnail: icon,
          ...frame,
          edit: { resource: MAIN_RESOURCE_KEY },
          refreshable: false,
          ...displayConditions(gadget.shown),
        },
      ],
      'jira:customField': [
        // A new app mirrors to the text field that an administrator chooses.
        ...(past === 'connect'
          ? [
              {
                key: textField.key,
                name: textField.name,
                description: textField.description,
                type: 'string',
                ...migrated,
                connectFieldProperty: { connectFieldType: 'RICH_TEXT' },
              },
            ]
          : []),
        ...progressFields.map(({ key, name, description, type, path }) => ({
          key,
          name,
          description,
          type,
          readOnly: true,
          // Reads the property instead of a stored value, whose writes would cost points.
          view: { formatter: { expression: progressExpression(searchIndex.property(names), path), export: true } },
          ...(migrated && { ...migrated, connectFieldProperty: { key: searchIndex.property(names), path } }),
        })),
      ],
      'jira:entityProperty': [
        {
          key: searchIndex.key,
          entityType: 'issue',
          propertyKey: searchIndex.property(names),
          values: searchAliases.map(({ path, type, alias }) => ({ path, type, searchAlias: alias })),
        },
      ],
      'jira:projectPermission': permissions.map(({ key, name, description }) => ({
        key,
        name,
        description,
        category: 'issues',
        ...migrated,
      })),
    },
  };
}
