/** Failure messages of operations. */

export const unknown = 'Something went wrong.';
export const addItem = 'Could not add item.';
export const clearChecklist = 'Could not clear checklist.';
export const deleteItem = 'Could not delete checklist item.';
export const moveItem = 'Could not move item.';
export const updateChecklist = 'Could not update checklist.';
