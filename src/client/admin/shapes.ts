import * as v from 'valibot';

/** Selections and shapes of templates and rules, shared by several operations. */

export const templateFields = 'id projectId name text itemCount isDefault isGettingStarted updated' as const;

export const templateShape = v.object({
  id: v.string(),
  /** The template's project; `null` for the whole site. */
  projectId: v.nullable(v.string()),
  name: v.string(),
  text: v.string(),
  itemCount: v.number(),
  isDefault: v.boolean(),
  isGettingStarted: v.boolean(),
  /** ISO time. */
  updated: v.string(),
});

export const ruleFields =
  'id templateId templateName projectIds issueTypeIds moment statusIds fieldId enabled' as const;

export const ruleShape = v.object({
  id: v.string(),
  templateId: v.string(),
  /** `null` where the template is deleted. */
  templateName: v.nullable(v.string()),
  /** Empty for all projects of the site. */
  projectIds: v.array(v.string()),
  /** Empty for all issue types. */
  issueTypeIds: v.array(v.string()),
  moment: v.picklist(['CREATED', 'MOVED', 'FIELD_CHANGED']),
  statusIds: v.array(v.string()),
  fieldId: v.nullable(v.string()),
  enabled: v.boolean(),
});
