import { graphql, operation, type ResultOf } from '../operation.ts';
import { ruleFields, templateFields } from './selections.ts';

/** Queries for managing templates: list, one template, its versions and its usage. */

export const getTemplateTree = operation(
  graphql(`query getTemplateTree($projectId: ID $after: ID) {
    templateTree(projectId: $projectId after: $after) {
      folders { projectId mayChange templates { id name itemCount isDefault updated } }
      next
    }
  }`),
);

/** The templates of one project, or of the whole site, by name. */
export type TemplateFolder = ResultOf<typeof getTemplateTree>['templateTree']['folders'][number];
/** A template in a folder, without its text. */
export type FiledTemplate = TemplateFolder['templates'][number];

/** `projectId` is the project to use a site template in. */
export const getTemplate = operation(
  graphql(`query getTemplate($id: ID! $projectId: ID) {
    template(id: $id projectId: $projectId) { ${templateFields} }
  }`),
);

/** Newest first. */
export const getTemplateVersions = operation(
  graphql(`query getTemplateVersions($id: ID! $projectId: ID $before: Int) {
    templateVersions(id: $id projectId: $projectId before: $before) {
      versions { version name itemCount account created }
      next
    }
  }`),
);

/** A stored version of a template, without its text. */
export type TemplateVersion = ResultOf<typeof getTemplateVersions>['templateVersions']['versions'][number];

export const getTemplateVersion = operation(
  graphql(`query getTemplateVersion($id: ID! $projectId: ID $version: Int!) {
    templateVersion(id: $id projectId: $projectId version: $version) { name text }
  }`),
);

export const getTemplateUsage = operation(
  graphql(`query getTemplateUsage($id: ID! $projectId: ID) {
    templateUsage(id: $id projectId: $projectId) { issueCount rules { ${ruleFields} } }
  }`),
);
