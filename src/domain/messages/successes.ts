/** Success messages of operations. */

export const duplicateTemplate = 'Template has been duplicated successfully.';
export const createTemplate = 'Template has been created successfully.';
export const deleteTemplate = 'Template has been deleted successfully.';
export const createStatus = 'Status has been created successfully.';
export const deleteStatus = 'Status has been deleted successfully.';
export const updateStatus = 'Status has been updated successfully.';
export const orderStatuses = 'Statuses order has been changed successfully.';
export const clearChecklist = 'Checklist has been cleared successfully.';
export const updateChecklist = 'Checklist has been updated successfully.';
// Spelling of the specification.
export const synchronize = 'Synchronization has started succesfully.';
export const startImport = 'Import has started successfully.';
