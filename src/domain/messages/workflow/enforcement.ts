/** Messages about what follows from gates, mandatory items and sections for customers. */

export type Checked = 'gates' | 'mandatory items';

/** `isChecked` is `null` if that is not known. */
export const rule = (what: Checked, isChecked: boolean | null) =>
  isChecked === null
    ? `Only a workflow rule can block the issue. We couldn't find out whether one of this project checks ${what}.`
    : isChecked
      ? `A workflow rule of this project checks ${what}. Transitions without the rule aren't blocked.`
      : `No workflow rule checks ${what} yet, so nothing is blocked.`;

export const setUp = 'Set up a workflow rule';
export const setUpSteps = 'Edit the workflow, choose a transition, and add the rule “Checklist is done”.';
export const askForRule = 'Ask an administrator to set up a workflow rule.';

export const customersSeeNothing = 'The portal of this project shows nothing of checklists to customers.';
/** To customers, in the portal. */
export const nothingForCustomers = 'No progress is shared for this request.';
export const customersSeeAll = 'The portal of this project shows whole checklists to customers.';
export const customersSee = 'Customers see this section in the portal.';
export const customersMaySee = 'Customers see this section if the project has a portal.';
export const openSettings = 'Open project settings';
export const askForPortal = 'Ask an administrator to show sections in the portal.';
export const loading = 'Looking for workflow rules…';
