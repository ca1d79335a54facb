import * as v from 'valibot';
import { portalModes } from '../../domain/permissions.ts';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';

const siteFields =
  'managePermissions viewPermissions analytics gettingStartedTemplateId starterTemplates textField textFieldId fields { id name own }' as const;

const decidedShape = v.object({
  managePermissions: v.boolean(),
  viewPermissions: v.boolean(),
  /** Analytics are allowed. */
  analytics: v.boolean(),
  gettingStartedTemplateId: v.nullable(v.string()),
  /** The starter templates are offered. */
  starterTemplates: v.boolean(),
});
/** The text field that mirrors the checklist: the app's own, a chosen one, or none. */
const textFieldShape = v.variant('textField', [
  v.object({ textField: v.picklist(['OWN', 'NONE']), textFieldId: v.null() }),
  v.object({ textField: v.literal('CHOSEN'), textFieldId: v.string() }),
]);
/** The fields to choose from. */
const fieldsShape = v.object({ fields: v.array(v.object({ id: v.string(), name: v.string(), own: v.boolean() })) });
const siteShape = v.intersect([decidedShape, textFieldShape, fieldsShape]);
export type SiteSettings = v.InferOutput<typeof siteShape>;
/** A partial update of the settings: omitted ones stay. */
export type SiteChange = Partial<v.InferOutput<typeof decidedShape>> | v.InferOutput<typeof textFieldShape>;

export const getSiteSettings = operation(
  graphql(`query getSiteSettings { siteSettings { ${siteFields} } }`),
  v.object({ siteSettings: siteShape }),
);

export const updateSiteSettings = operation(
  graphql(`mutation updateSiteSettings($input: UpdateSiteSettingsInput!) {
    updateSiteSettings(input: $input) { settings { ${siteFields} } ${answerFields} }
  }`),
  v.object({ updateSiteSettings: v.object({ settings: v.nullable(siteShape), ...answerShape }) }),
);

const projectFields = 'showInCenter portal portalModes service' as const;
const projectShape = v.object({
  showInCenter: v.boolean(),
  /** What portal customers see, and what can be chosen. */
  portal: v.picklist(portalModes),
  portalModes: v.array(v.picklist(portalModes)),
  /** The project has a portal. */
  service: v.boolean(),
});
export type ProjectSettings = v.InferOutput<typeof projectShape>;
/** A partial update of a project's settings. */
export type ProjectChange = Partial<Pick<ProjectSettings, 'showInCenter' | 'portal'>>;

export const getProjectSettings = operation(
  graphql(`query getProjectSettings($projectId: ID!) { projectSettings(projectId: $projectId) { ${projectFields} } }`),
  v.object({ projectSettings: projectShape }),
);

export const updateProjectSettings = operation(
  graphql(`mutation updateProjectSettings($input: UpdateProjectSettingsInput!) {
    updateProjectSettings(input: $input) { settings { ${projectFields} } ${answerFields} }
  }`),
  v.object({ updateProjectSettings: v.object({ settings: v.nullable(projectShape), ...answerShape }) }),
);

export const getHolders = operation(
  graphql(
    'query getHolders($projectId: ID!) { permissionHolders(projectId: $projectId) { permission known accounts more } }',
  ),
  v.object({
    permissionHolders: v.array(
      v.object({ permission: v.string(), known: v.boolean(), accounts: v.array(v.string()), more: v.boolean() }),
    ),
  }),
);

/** Deletes the site's data; `confirm` is the site's address, typed by the administrator. */
export const erasePerson = operation(
  graphql(`mutation erasePerson($accountId: ID!) {
    erasePerson(accountId: $accountId) { checklists ${answerFields} }
  }`),
  v.object({ erasePerson: v.object({ checklists: v.nullable(v.number()), ...answerShape }) }),
);

export const removeSiteData = operation(
  graphql(`mutation removeSiteData($confirm: String!) {
    removeSiteData(confirm: $confirm) { removed ${answerFields} }
  }`),
  v.object({ removeSiteData: v.object({ removed: v.boolean(), ...answerShape }) }),
);
