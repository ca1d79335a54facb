import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields } from './selections.ts';

const siteFields =
  'managePermissions viewPermissions analytics gettingStartedTemplateId starterTemplates textField textFieldId fields { id name own }' as const;

export const getSiteSettings = operation(graphql(`query getSiteSettings { siteSettings { ${siteFields} } }`));

export type SiteSettings = ResultOf<typeof getSiteSettings>['siteSettings'];
/** A partial update of the settings: omitted ones stay. */
export type SiteChange =
  | Partial<Omit<SiteSettings, 'textField' | 'textFieldId' | 'fields'>>
  /** The text field that mirrors the checklist: the app's own, a chosen one, or none. */
  | { textField: 'OWN' | 'NONE'; textFieldId: null }
  | { textField: 'CHOSEN'; textFieldId: string };

export const updateSiteSettings = operation(
  graphql(`mutation updateSiteSettings($input: UpdateSiteSettingsInput!) {
    updateSiteSettings(input: $input) { settings { ${siteFields} } ${answerFields} }
  }`),
);

const projectFields = 'showInCenter portal portalModes service' as const;
export const getProjectSettings = operation(
  graphql(`query getProjectSettings($projectId: ID!) { projectSettings(projectId: $projectId) { ${projectFields} } }`),
);

export type ProjectSettings = ResultOf<typeof getProjectSettings>['projectSettings'];
/** A partial update of a project's settings. */
export type ProjectChange = Partial<Pick<ProjectSettings, 'showInCenter' | 'portal'>>;

export const updateProjectSettings = operation(
  graphql(`mutation updateProjectSettings($input: UpdateProjectSettingsInput!) {
    updateProjectSettings(input: $input) { settings { ${projectFields} } ${answerFields} }
  }`),
);

export const getHolders = operation(
  graphql(
    'query getHolders($projectId: ID!) { permissionHolders(projectId: $projectId) { permission known accounts more } }',
  ),
);

export const erasePerson = operation(
  graphql(`mutation erasePerson($accountId: ID!) {
    erasePerson(accountId: $accountId) { checklists ${answerFields} }
  }`),
);

/** Lets the server know that an administrator has saved a workflow rule. */
export const workflowRulesEdited = operation(
  graphql(`mutation workflowRulesEdited { workflowRulesEdited { noted ${answerFields} } }`),
);

/** Deletes the site's data; `confirm` is the site's address, typed by the administrator. */
export const removeSiteData = operation(
  graphql(`mutation removeSiteData($confirm: String!) {
    removeSiteData(confirm: $confirm) { removed ${answerFields} }
  }`),
);
