import { graphql, operation, type ResultOf } from '../operation.ts';
import { answerFields, templateFields } from './selections.ts';

/** The templates usable in a project; without one all of the site, for its administrators. */
export const getTemplates = operation(
  graphql(`query getTemplates(
    $projectId: ID $scope: TemplateScope $search: String $sort: TemplateSort $descending: Boolean $first: Int $skip: Int
  ) {
    templates(
      projectId: $projectId scope: $scope search: $search sort: $sort descending: $descending first: $first skip: $skip
    ) {
      templates { ${templateFields} }
      total
      globalRoom { count most }
      projectRoom { count most }
    }
  }`),
);

type TemplatePage = ResultOf<typeof getTemplates>['templates'];
export type ListedTemplate = TemplatePage['templates'][number];
/** Number and limit of templates; `null` without a limit. */
export type TemplateRoom = TemplatePage['globalRoom'];

/** Names only, for choosing. */
export const getTemplateNames = operation(
  graphql(`query getTemplateNames($projectId: ID $scope: TemplateScope $first: Int $skip: Int) {
    templates(projectId: $projectId scope: $scope first: $first skip: $skip) { templates { id name } total }
  }`),
);

export const createTemplateFromText = operation(
  graphql(`mutation createTemplateFromText($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
);

export const createTemplateFromChecklist = operation(
  graphql(`mutation createTemplateFromChecklist($input: CreateTemplateFromChecklistInput!) {
    createTemplateFromChecklist(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
);

export const duplicateTemplate = operation(
  graphql(`mutation duplicateTemplate($input: DuplicateTemplateInput!) {
    duplicateTemplate(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
);

export const updateTemplate = operation(
  graphql(`mutation updateTemplate($input: UpdateTemplateInput!) {
    updateTemplate(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
);

export const deleteTemplate = operation(
  graphql(`mutation deleteTemplate($id: ID!) {
    deleteTemplate(id: $id) { template { ${templateFields} } ${answerFields} }
  }`),
);

/** The deleted templates that can be restored; without a project all of the site's, for its administrators. */
export const getDeletedTemplates = operation(
  graphql(`query getDeletedTemplates($projectId: ID) {
    deletedTemplates(projectId: $projectId) { id projectId name itemCount deleted restorableUntil }
  }`),
);

export type DeletedTemplate = ResultOf<typeof getDeletedTemplates>['deletedTemplates'][number];

export const restoreTemplate = operation(
  graphql(`mutation restoreTemplate($id: ID!) {
    restoreTemplate(id: $id) { template { ${templateFields} } ${answerFields} }
  }`),
);

/** Sets the default template of a project, or without one of the site; without a template it has none. */
export const setDefaultTemplate = operation(
  graphql(`mutation setDefaultTemplate($projectId: ID $templateId: ID) {
    setDefaultTemplate(projectId: $projectId templateId: $templateId) { template { ${templateFields} } ${answerFields} }
  }`),
);

export const exportTemplates = operation(
  graphql('query exportTemplates($projectId: ID $ids: [ID!]) { exportTemplates(projectId: $projectId ids: $ids) }'),
);

export const importTemplates = operation(
  graphql(`mutation importTemplates($input: ImportTemplatesInput!) {
    importTemplates(input: $input) { templates { ${templateFields} } notTaken { name message } ${answerFields} }
  }`),
);
