import { edition } from '../edition.ts';

/** Keys of the modules that declare the app's fields of issues. */
export const ownFields = {
  text: 'checklist-text',
  progress: 'checklist-progress',
  mandatoryOpen: 'checklist-mandatory-open',
  label: 'checklist-label',
} as const;

/** Whether a field is one of the app's, by its key on Connect or on Forge. */
export const isOwnField = (fieldKey: string): boolean =>
  Object.values(ownFields).some(key => fieldKey === `${edition.key}__${key}` || fieldKey.endsWith(`/static/${key}`));
