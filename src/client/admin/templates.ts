import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { answerFields, answerShape } from './answer.ts';
import { templateFields, templateShape } from './shapes.ts';

export type ListedTemplate = v.InferOutput<typeof templateShape>;

const roomShape = v.object({ count: v.number(), most: v.nullable(v.number()) });
/** Number and limit of templates; `null` without a limit. */
export type TemplateRoom = v.InferOutput<typeof roomShape>;

const payloadShape = v.object({ template: v.nullable(templateShape), ...answerShape });

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
  v.object({
    templates: v.object({
      templates: v.array(templateShape),
      total: v.number(),
      globalRoom: roomShape,
      projectRoom: v.nullable(roomShape),
    }),
  }),
);

/** Names only, for choosing. */
export const getTemplateNames = operation(
  graphql(`query getTemplateNames($projectId: ID $scope: TemplateScope $first: Int $skip: Int) {
    templates(projectId: $projectId scope: $scope first: $first skip: $skip) { templates { id name } total }
  }`),
  v.object({
    templates: v.object({
      templates: v.array(v.object({ id: v.string(), name: v.string() })),
      total: v.number(),
    }),
  }),
);

export const createTemplateFromText = operation(
  graphql(`mutation createTemplateFromText($input: CreateTemplateFromTextInput!) {
    createTemplateFromText(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ createTemplateFromText: payloadShape }),
);

export const createTemplateFromChecklist = operation(
  graphql(`mutation createTemplateFromChecklist($input: CreateTemplateFromChecklistInput!) {
    createTemplateFromChecklist(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ createTemplateFromChecklist: payloadShape }),
);

export const duplicateTemplate = operation(
  graphql(`mutation duplicateTemplate($input: DuplicateTemplateInput!) {
    duplicateTemplate(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ duplicateTemplate: payloadShape }),
);

export const updateTemplate = operation(
  graphql(`mutation updateTemplate($input: UpdateTemplateInput!) {
    updateTemplate(input: $input) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ updateTemplate: payloadShape }),
);

export const deleteTemplate = operation(
  graphql(`mutation deleteTemplate($id: ID!) {
    deleteTemplate(id: $id) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ deleteTemplate: payloadShape }),
);

export const restoreTemplate = operation(
  graphql(`mutation restoreTemplate($id: ID!) {
    restoreTemplate(id: $id) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ restoreTemplate: payloadShape }),
);

/** Sets the default template of a project, or without one of the site; without a template it has none. */
export const setDefaultTemplate = operation(
  graphql(`mutation setDefaultTemplate($projectId: ID $templateId: ID) {
    setDefaultTemplate(projectId: $projectId templateId: $templateId) { template { ${templateFields} } ${answerFields} }
  }`),
  v.object({ setDefaultTemplate: payloadShape }),
);

export const exportTemplates = operation(
  graphql('query exportTemplates($projectId: ID $ids: [ID!]) { exportTemplates(projectId: $projectId ids: $ids) }'),
  v.object({ exportTemplates: v.string() }),
);

export const importTemplates = operation(
  graphql(`mutation importTemplates($input: ImportTemplatesInput!) {
    importTemplates(input: $input) { templates { ${templateFields} } notTaken { name message } ${answerFields} }
  }`),
  v.object({
    importTemplates: v.object({
      templates: v.array(templateShape),
      notTaken: v.array(v.object({ name: v.string(), message: v.string() })),
      ...answerShape,
    }),
  }),
);
