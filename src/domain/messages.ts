/** Every message that the specification fixes (§2, §6, §8), word for word, in one place. */

export const failures = {
  unknown: 'Something went wrong.',
  createTemplate: 'Could not create template.',
  deleteTemplate: 'Could not delete template.',
  getTemplates: 'Could not get templates.',
  updateTemplate: 'Could not update template.',
  createStatus: 'Could not create status.',
  deleteStatus: 'Could not delete status.',
  getStatuses: 'Could not get statuses.',
  updateStatus: 'Could not update status.',
  orderStatuses: 'Could not change statuses order.',
  addItem: 'Could not add item.',
  clearChecklist: 'Could not clear checklist.',
  deleteItem: 'Could not delete checklist item.',
  moveItem: 'Could not move item.',
  updateChecklist: 'Could not update checklist.',
  synchronize: 'Could not start synchronization.',
  moveAssignment: 'Could not move assignment.',
} as const;

export const successes = {
  duplicateTemplate: 'Template has been duplicated successfully.',
  createTemplate: 'Template has been created successfully.',
  deleteTemplate: 'Template has been deleted successfully.',
  createStatus: 'Status has been created successfully.',
  deleteStatus: 'Status has been deleted successfully.',
  updateStatus: 'Status has been updated successfully.',
  orderStatuses: 'Statuses order has been changed successfully.',
  clearChecklist: 'Checklist has been cleared successfully.',
  updateChecklist: 'Checklist has been updated successfully.',
  // The spelling is the specification's.
  synchronize: 'Synchronization has started succesfully.',
  import: 'Import has started successfully.',
} as const;

export const limitReached = {
  items: 'Reached maximum allowed items for Smart Checklist Free version',
  globalTemplates: 'Reached maximum allowed global templates for Smart Checklist Free version.',
  projectTemplates: 'Reached maximum allowed project templates for Smart Checklist Free version.',
  templates: 'Reached maximum allowed templates for Smart Checklist Free version.',
} as const;

export const refusals = {
  permission: "You don't have appropriate permission to use this functionality. Contact your Site Administrator.",
  projectAdmin: 'You are most likely missing Administer Project permission.',
} as const;

export const shell = {
  unauthorized: 'Unauthorized.',
  retry: 'Retry',
  support: 'If the problem persists, please contact customer support.',
  unsaved: 'It looks like you have been editing something. If you leave before saving, your changes will be lost.',
  chunkFailed: (chunk: string) => `Loading chunk ${chunk} failed.`,
  userBatchFailed: 'Failed to fetch batch of users',
  flagsOutsideProvider: 'useFeatureFlags must be used within a FeatureFlagsProvider',
} as const;

/** Why a change could not be stored. The specification is silent here; each says what to do. */
export const storage = {
  tooLarge: (size: number, capacity: number) =>
    `This checklist is too large for the tracker: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters. Shorten it and save again.`,
  fieldTooLarge: (size: number, capacity: number) =>
    `The Checklist Text field was not updated: ${size.toLocaleString('en')} of ${capacity.toLocaleString('en')} characters.`,
  fieldRefused: 'The Checklist Text field could not be updated. The checklist itself is saved.',
  fieldNotOnScreen:
    'The Checklist Text field is not on the screen of this issue, so it was not updated. The checklist itself is saved.',
  trackerUnavailable: 'The tracker did not answer, so your change is not saved yet. It will be sent again.',
  issueNotFound: 'This issue does not exist any more, or you may not see it.',
  changedMeanwhile: 'This item was changed meanwhile. Look at it again and repeat your change.',
  baseUnknown: 'The server does not know the text that you started from. Send it along and it will be merged.',
} as const;

/** Who did not answer. The specification is silent here. */
export const unreachable = {
  tracker: 'The tracker did not answer.',
  server: 'The server did not answer.',
  noTracker: 'Open this page from the tracker.',
} as const;
