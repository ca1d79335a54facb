/**
 * Failure messages of managing templates, statuses, rules and jobs, separate from those that the panel loads first.
 */

export const createTemplate = 'Could not create template.';
export const deleteTemplate = 'Could not delete template.';
export const getTemplates = 'Could not get templates.';
export const updateTemplate = 'Could not update template.';
export const createStatus = 'Could not create status.';
export const deleteStatus = 'Could not delete status.';
export const getStatuses = 'Could not get statuses.';
export const updateStatus = 'Could not update status.';
export const orderStatuses = 'Could not change statuses order.';
export const moveAssignment = 'Could not move assignment.';
export const synchronize = 'Could not start synchronization.';
