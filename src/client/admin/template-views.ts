import * as v from 'valibot';
import { graphql, operation } from '../operation.ts';
import { ruleFields, ruleShape, templateFields, templateShape } from './shapes.ts';

/** Queries for managing templates: list, one template, its versions and its usage. */

const filedShape = v.object({
  id: v.string(),
  name: v.string(),
  itemCount: v.number(),
  isDefault: v.boolean(),
  /** ISO time. */
  updated: v.string(),
});
/** A template in a folder, without its text. */
export type FiledTemplate = v.InferOutput<typeof filedShape>;

const folderShape = v.object({
  /** `null` for the whole site. */
  projectId: v.nullable(v.string()),
  /** Whether the user can add and change templates here. */
  mayChange: v.boolean(),
  templates: v.array(filedShape),
});
/** The templates of one project, or of the whole site, by name. */
export type TemplateFolder = v.InferOutput<typeof folderShape>;

export const getTemplateTree = operation(
  graphql(`query getTemplateTree($projectId: ID $after: ID) {
    templateTree(projectId: $projectId after: $after) {
      folders { projectId mayChange templates { id name itemCount isDefault updated } }
      next
    }
  }`),
  v.object({ templateTree: v.object({ folders: v.array(folderShape), next: v.nullable(v.string()) }) }),
);

/** `projectId` is the project to use a site template in. */
export const getTemplate = operation(
  graphql(`query getTemplate($id: ID! $projectId: ID) {
    template(id: $id projectId: $projectId) { ${templateFields} }
  }`),
  v.object({ template: templateShape }),
);

const versionShape = v.object({
  version: v.number(),
  name: v.string(),
  itemCount: v.number(),
  /** Empty where the app wrote it automatically. */
  account: v.string(),
  /** ISO time. */
  created: v.string(),
});
/** A stored version of a template, without its text. */
export type TemplateVersion = v.InferOutput<typeof versionShape>;

/** Newest first. */
export const getTemplateVersions = operation(
  graphql(`query getTemplateVersions($id: ID! $projectId: ID $before: Int) {
    templateVersions(id: $id projectId: $projectId before: $before) {
      versions { version name itemCount account created }
      next
    }
  }`),
  v.object({ templateVersions: v.object({ versions: v.array(versionShape), next: v.nullable(v.number()) }) }),
);

export const getTemplateVersion = operation(
  graphql(`query getTemplateVersion($id: ID! $projectId: ID $version: Int!) {
    templateVersion(id: $id projectId: $projectId version: $version) { name text }
  }`),
  v.object({ templateVersion: v.object({ name: v.string(), text: v.string() }) }),
);

export const getTemplateUsage = operation(
  graphql(`query getTemplateUsage($id: ID! $projectId: ID) {
    templateUsage(id: $id projectId: $projectId) { issueCount rules { ${ruleFields} } }
  }`),
  v.object({ templateUsage: v.object({ issueCount: v.number(), rules: v.nullable(v.array(ruleShape)) }) }),
);
