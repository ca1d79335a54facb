/** Messages about templates and rules that the specification does not fix. */

export const tooMany = (most: number) => `At most ${most.toLocaleString('en')} templates can be added at once.`;
export const tooLarge = (size: number, capacity: number) =>
  `This template is too large: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters.`;
export const notFound = 'This template no longer exists.';
export const versionNotFound = 'This version is no longer available.';
export const versionHidden = "You don't have permission to see this version. It belonged to a project.";
export const sameLines = 'Someone else changed the same lines. Save again to keep yours.';
export const noChecklist = 'This issue has no checklist to save as a template.';
export const unreadable = "This isn't a template file.";
export const exportTooLarge = (size: number, most: number) =>
  `These templates are too large for one file: ${size.toLocaleString('en')} of ${most.toLocaleString('en')} characters. Choose fewer.`;
export const fileTooLarge = (most: number) => `The file is too large: at most ${most.toLocaleString('en')} characters.`;
export const ruleNotFound = 'This rule no longer exists.';
export const ruleProject = 'The template belongs to another project.';
export const ruleStatus = 'Choose the status that issues move to.';
export const ruleField = 'Choose the field that changes.';
export const tooManyRules = (most: number) =>
  `You can have at most ${most.toLocaleString('en')} rules. Delete one first.`;

export const none = 'No templates yet.';
export const noMatch = 'No templates match.';
export const searchForMore = 'Search to find more templates.';
export const readBySite = 'Everyone on this site can see its name and text.';

/** The form of a rule cannot offer what the tracker did not list. */
export const workflowNotLoaded = "We couldn't load issue types, statuses and fields from Jira.";
