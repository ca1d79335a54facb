import { workflow } from '../domain/messages.ts';
import { subscribedEvents } from './events.ts';
import {
  type About,
  dialogPlaces,
  type Panel,
  placesOf,
  ruleEntries,
  type Shown,
  type TitledPlace,
  type WorkflowRule,
} from './places.ts';
import {
  type Names,
  panelPosition,
  permissions,
  progressFields,
  searchAliases,
  searchIndex,
  textField,
} from './product.ts';

/** The values of the descriptor besides the product's. */
export interface DescriptorValues extends Names {
  /** The address of the add-on's server, without a trailing slash. */
  baseUrl: string;
  version: string;
}

/** The values of the template `atlassian-connect.json`. */
export const placeholders: DescriptorValues = {
  key: '{{addonKey}}',
  name: '{{name}}',
  label: '{{label}}',
  logo: '{{logo}}',
  baseUrl: '{{baseUrl}}',
  version: '{{version}}',
};

interface Condition {
  condition: string;
  invert?: true;
  params?: Record<string, string>;
}

const parameters: Readonly<Record<About, string>> = {
  issue: 'issueKey={issue.key}&issueId={issue.id}',
  project: 'projectKey={project.key}&projectId={project.id}',
};

const urlOf = ({ path, surface, about }: Pick<TitledPlace, 'path' | 'surface' | 'about'>): string =>
  `${path}?${[`surface=${surface}`, ...about.map(kind => parameters[kind])].join('&')}`;

/** The Connect descriptor of an edition. */
export function descriptor(values: DescriptorValues) {
  const { key, name, label, logo, baseUrl, version } = values;
  const { panels, context, portal, project, pages, projectPage, site, configure, start, rules, gadget } = placesOf({
    key,
    name,
    label,
    logo,
  });
  const icon = { width: 24, height: 24, url: `/images/${logo}` };

  function inCentre(invert: boolean): Condition {
    // The property holds the text "true", and the tracker compares the JSON of it.
    const params = { entity: 'project', propertyKey: panelPosition(values), value: '"true"' };
    return { condition: 'entity_property_equal_to', ...(invert && { invert: true as const }), params };
  }
  function conditionsOf(shown: Shown): Condition[] {
    switch (shown) {
      case 'always':
        return [];
      case 'signed-in':
        return [{ condition: 'user_is_logged_in' }];
      case 'project-admin':
        return [{ condition: 'user_is_project_admin' }];
      case 'site-admin':
        return [{ condition: 'user_is_admin' }];
      case 'panel-in-centre':
        return [inCentre(false)];
      case 'panel-aside':
        return [inCentre(true)];
    }
  }

  const panelOf = ({ open, tooltip, ...place }: Panel) => {
    const conditions = conditionsOf(place.shown);
    return {
      key: place.key,
      name: { value: place.title },
      icon,
      tooltip: { value: tooltip },
      target: { type: 'web_panel', url: urlOf(place) },
      conditions,
      // A closed panel is offered by its button: these conditions never hold together with the others.
      contentPresentConditions: open ? conditions : conditions.map(each => ({ ...each, invert: true as const })),
      ...(open && { jiraNativeAppsEnabled: true }),
    };
  };
  const adminPage = (place: TitledPlace) => ({
    key: place.key,
    name: { value: place.title },
    url: urlOf(place),
    conditions: conditionsOf(place.shown),
  });

  const rulesOf = (kind: WorkflowRule['kind']) =>
    rules
      .filter(rule => rule.kind === kind)
      .map(rule => {
        const entries = ruleEntries.map(entry => {
          const config = entry === 'create' ? '' : `&config={${kind}.config}`;
          return [entry, { url: `${urlOf(rule)}&rule=${kind}&entry=${entry}${config}` }] as const;
        });
        return {
          key: rule.key,
          name: { value: rule.title },
          description: { value: rule.description },
          // Stands for a rule that was never configured: the configuration has the expression that counts.
          expression: 'false',
          ...Object.fromEntries(entries),
        };
      });

  return {
    key,
    name,
    description: 'Checklists on issues, written as plain text and worked on inline.',
    vendor: { name: 'Smart Checklist', url: 'https://support.smart-checklist.app' },
    baseUrl,
    links: { self: `${baseUrl}/atlassian-connect.json` },
    authentication: { type: 'jwt' },
    lifecycle: { installed: '/installed', uninstalled: '/uninstalled' },
    scopes: ['READ', 'WRITE', 'DELETE', 'PROJECT_ADMIN', 'ADMIN'],
    apiVersion: 1,
    apiMigrations: { gdpr: true, 'signed-install': true, 'context-qsh': true },
    enableLicensing: true,
    version,
    modules: {
      jiraIssueContents: panels.map(panelOf),
      jiraIssueContexts: [
        {
          key: context.key,
          name: { value: context.title },
          icon,
          content: { type: 'label', label: { value: context.button } },
          target: { type: 'web_panel', url: urlOf(context) },
          conditions: conditionsOf(context.shown),
          jiraNativeAppsEnabled: true,
        },
      ],
      serviceDeskPortalRequestViewPanels: [{ key: portal.key, weight: 100, url: urlOf(portal) }],
      jiraProjectAdminTabPanels: [
        {
          key: project.key,
          name: { value: project.title },
          location: 'projectgroup4',
          weight: 100,
          url: urlOf(project),
          conditions: conditionsOf(project.shown),
        },
      ],
      generalPages: pages.map(page => ({
        key: page.key,
        name: { value: page.title },
        location: page.listed ? 'system.top.navigation.bar' : 'none',
        url: urlOf(page),
        conditions: conditionsOf(page.shown),
      })),
      jiraProjectPages: [
        {
          key: projectPage.key,
          name: { value: projectPage.title },
          iconUrl: icon.url,
          weight: 100,
          url: urlOf(projectPage),
          conditions: conditionsOf(projectPage.shown),
        },
      ],
      adminPages: [adminPage(site)],
      configurePage: adminPage(configure),
      postInstallPage: adminPage(start),
      jiraWorkflowValidators: rulesOf('validator').map(rule => ({
        ...rule,
        errorMessage: { value: workflow.refused },
      })),
      jiraWorkflowConditions: rulesOf('condition'),
      jiraDashboardItems: [
        {
          key: gadget.key,
          name: { value: gadget.title },
          description: { value: gadget.description },
          url: `${urlOf(gadget)}&dashboardId={dashboard.id}&itemId={dashboardItem.id}&view={dashboardItem.viewType}`,
          thumbnailUrl: icon.url,
          configurable: true,
          refreshable: true,
          conditions: conditionsOf(gadget.shown),
        },
      ],
      dialogs: dialogPlaces.map(place => ({
        key: place.key,
        url: urlOf(place),
        options: { size: 'maximum', chrome: false },
      })),
      jiraIssueFields: [
        {
          key: textField.key,
          type: 'rich_text',
          name: { value: textField.name },
          description: { value: textField.description },
        },
        ...progressFields.map(field => ({
          key: field.key,
          type: 'read_only',
          name: { value: field.name },
          description: { value: field.description },
          property: { key: searchIndex.property(values), path: field.path, type: field.type },
        })),
      ],
      jiraEntityProperties: [
        {
          key: searchIndex.key,
          name: { value: 'Checklist' },
          entityType: 'issue',
          keyConfigurations: [
            {
              propertyKey: searchIndex.property(values),
              extractions: searchAliases.map(({ path, type, alias }) => ({ objectName: path, type, alias })),
            },
          ],
        },
      ],
      jiraProjectPermissions: permissions.map(permission => ({
        key: permission.key,
        name: { value: permission.name },
        description: { value: permission.description },
        category: 'issues',
      })),
      webhooks: subscribedEvents.map(({ webhook, path, body, ofProperty }) => ({
        event: webhook,
        url: `${path}?issueId={issue.id}${ofProperty ? '&property={property.key}' : ''}`,
        ...(!body && { excludeBody: true }),
      })),
    },
  };
}
