/** Analytics: the tracked events and their operations. */
export const analyticsEvents = [
  'Add details clicked',
  'App Loaded',
  'Assigned items queried',
  'Assignee selected in checklist',
  'Assignee selected in full screen editor',
  'Checklist mutated',
  'Checklist queried',
  'Fullscreen editor used',
  'Template mutated',
  'DemoTemplateApplied',
  'Templates list queried',
  'Custom field synchronization requested',
  'Import from issue checklist requested',
  'Item made mandatory from issue view',
  'Item made mandatory from template view',
] as const;
export type AnalyticsEvent = (typeof analyticsEvents)[number];

const operations = {
  applyDemoTemplateToChecklist: 'DemoTemplateApplied',
  getTemplates: 'Templates list queried',
  updateTemplate: 'Template mutated',
  addChecklistItemsFromText: 'Checklist mutated',
  changeChecklistItems: 'Checklist mutated',
  deleteChecklistItem: 'Checklist mutated',
  moveChecklistItem: 'Checklist mutated',
  updateChecklistFromText: 'Checklist mutated',
  synchronizeStorages: 'Custom field synchronization requested',
  importFromIssueChecklist: 'Import from issue checklist requested',
} as const satisfies Record<string, AnalyticsEvent>;
export type TrackedOperation = keyof typeof operations;

export const isTracked = (operation: string): operation is TrackedOperation => Object.hasOwn(operations, operation);
export const eventOf = (operation: TrackedOperation): AnalyticsEvent => operations[operation];
