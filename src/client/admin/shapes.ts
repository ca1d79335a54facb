import * as v from 'valibot';

/** What several operations ask for of a template and of a rule, and how that is read. */

export const templateFields = 'id projectId name text itemCount isDefault isGettingStarted updated' as const;

export const templateShape = v.object({
  id: v.string(),
  /** The only project that it is for; `null` for the whole site. */
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
  /** `null` where the template is gone. */
  templateName: v.nullable(v.string()),
  /** None are all of the site. */
  projectIds: v.array(v.string()),
  /** None are all. */
  issueTypeIds: v.array(v.string()),
  moment: v.picklist(['CREATED', 'MOVED', 'FIELD_CHANGED']),
  statusIds: v.array(v.string()),
  fieldId: v.nullable(v.string()),
  enabled: v.boolean(),
});
