/** Messages about templates and rules that the specification does not fix. */

export const tooMany = (most: number) => `At most ${most.toLocaleString('en')} templates can be added at once.`;
export const tooLarge = (size: number, capacity: number) =>
  `This template is too large: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters.`;
export const notFound = 'This template does not exist any more.';
export const versionNotFound = 'This version is not kept any more.';
export const versionHidden = "This version was for one project, whose templates you don't have permission to see.";
export const sameLines = 'Someone else changed the same lines. Save again to keep yours.';
export const noChecklist = 'This issue has no checklist to make a template of.';
export const unreadable = 'This is not a file of templates.';
export const fileTooLarge = (most: number) => `The file is too large: at most ${most.toLocaleString('en')} characters.`;
export const ruleNotFound = 'This rule does not exist any more.';
export const ruleProject = 'The template belongs to another project.';
export const ruleStatus = 'Choose the status that issues come to.';
export const ruleField = 'Choose the field that changes.';
export const tooManyRules = (most: number) => `There are at most ${most.toLocaleString('en')} rules.`;
