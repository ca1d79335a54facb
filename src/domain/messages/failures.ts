/** What is said when an operation fails (spec §8). */

export const unknown = 'Something went wrong.';
export const createTemplate = 'Could not create template.';
export const deleteTemplate = 'Could not delete template.';
export const getTemplates = 'Could not get templates.';
export const updateTemplate = 'Could not update template.';
export const createStatus = 'Could not create status.';
export const deleteStatus = 'Could not delete status.';
export const getStatuses = 'Could not get statuses.';
export const updateStatus = 'Could not update status.';
export const orderStatuses = 'Could not change statuses order.';
export const addItem = 'Could not add item.';
export const clearChecklist = 'Could not clear checklist.';
export const deleteItem = 'Could not delete checklist item.';
export const moveItem = 'Could not move item.';
export const updateChecklist = 'Could not update checklist.';
export const synchronize = 'Could not start synchronization.';
export const moveAssignment = 'Could not move assignment.';
