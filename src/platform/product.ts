import { ownFields } from '../domain/automation/own-fields.ts';
import type { Edition } from '../domain/edition.ts';
import { addonPermissions } from '../domain/permissions.ts';
import { type ChecklistProperty, FIELD_NAME, type SearchData, storageKey } from '../domain/storage.ts';

/** Product data of both platforms besides places (places.ts), events and scopes. */

/** The names that an edition bears: its key, long and short name, and its logo's file in `images/`. */
export type Names = Pick<Edition, 'key' | 'name' | 'label' | 'logo'>;

/** The text field that mirrors a checklist. */
export const textField = {
  key: ownFields.text,
  name: FIELD_NAME,
  description: 'The checklist of the issue as text. Written by the add-on, readable and writable by automation.',
};

interface Permission {
  key: string;
  name: string;
  description: string;
}

/** Permissions that administrators grant in permission schemes, in the category of issue permissions. */
export const permissions: readonly Permission[] = [
  {
    key: addonPermissions.addItems,
    name: 'Add checklist items',
    description: 'Add items to checklists, and save and apply templates.',
  },
  {
    key: addonPermissions.setStatus,
    name: 'Change checklist item statuses',
    description: 'Change the status of checklist items.',
  },
  {
    key: addonPermissions.deleteItems,
    name: 'Delete checklist items',
    description: 'Delete items from checklists, and clear checklists.',
  },
  {
    key: addonPermissions.manage,
    name: 'Manage checklists',
    description: 'Add, edit, move and delete checklist items, and change their statuses.',
  },
  { key: addonPermissions.view, name: 'View checklists', description: 'See checklists and their history.' },
];

/** The path of a value in the issue property. */
type PropertyPath =
  | Extract<keyof ChecklistProperty, 'name' | 'text'>
  | Extract<keyof ChecklistProperty, 'label'>
  | `progress.${keyof ChecklistProperty['progress']}`
  | `search.${keyof SearchData}`;

interface Alias {
  path: PropertyPath;
  type: 'text' | 'string' | 'number' | 'user' | 'date';
  alias: string;
}

/** The values of the issue property that the tracker indexes, with their names in its query language. */
export const searchAliases: readonly Alias[] = [
  { path: 'text', type: 'text', alias: 'checklistText' },
  { path: 'progress.total', type: 'number', alias: 'checklistItems' },
  { path: 'progress.checked', type: 'number', alias: 'checklistChecked' },
  { path: 'progress.percent', type: 'number', alias: 'checklistPercent' },
  { path: 'progress.mandatoryOpen', type: 'number', alias: 'checklistMandatoryOpen' },
  { path: 'search.statuses', type: 'string', alias: 'checklistStatus' },
  { path: 'search.assignees', type: 'user', alias: 'checklistAssignee' },
  { path: 'search.dueDates', type: 'date', alias: 'checklistDue' },
  { path: 'search.gates', type: 'string', alias: 'checklistGate' },
];

/** Read-only fields of issues for boards, lists, filters and export, from values of the issue property. */
export const progressFields: readonly {
  key: string;
  name: string;
  description: string;
  path: PropertyPath;
  type: 'number' | 'string';
}[] = [
  {
    key: ownFields.progress,
    name: 'Checklist progress',
    description: 'Percent of the checklist items that are done.',
    path: 'progress.percent',
    type: 'number',
  },
  {
    key: ownFields.mandatoryOpen,
    name: 'Open mandatory items',
    description: 'Mandatory checklist items that are not done.',
    path: 'progress.mandatoryOpen',
    type: 'number',
  },
  {
    key: ownFields.label,
    name: 'Checklist',
    description: 'Checklist items that are done, and all of them: 3/7.',
    path: 'label',
    type: 'string',
  },
];

/** The module that declares the index, and the issue property that it reads. */
export const searchIndex = { key: 'checklist-search', property: ({ key }: Names) => storageKey('checklist', key) };

/** The project property that is `true` if the checklist stands below the description, not beside it. */
export const panelPosition = ({ key }: Names): string => storageKey('show-in-center-panel', key);
