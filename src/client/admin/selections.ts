/** Selections of errors, templates and rules, shared by several operations. */

export const answerFields = 'errors { code field message }' as const;

export const templateFields = 'id projectId name text itemCount isDefault isGettingStarted updated' as const;

export const ruleFields =
  'id templateId templateName projectIds issueTypeIds moment statusIds fieldId enabled' as const;
