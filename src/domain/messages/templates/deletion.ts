/** Messages about deleted templates. */

import { RESTORABLE_DAYS } from '../../templates/deletion.ts';

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The consequences of deleting a template that issues or rules use, or that is offered first. */
export const consequences = ({ issues, rules, isDefault }: { issues: number; rules: number; isDefault: boolean }) =>
  [
    ...(issues > 0 ? [`${counted(issues, 'issue uses', 'issues use')} it. Existing checklists stay as they are.`] : []),
    ...(rules > 0
      ? [
          `${counted(rules, 'rule adds it and does', 'rules add it and do')} nothing until you restore it or choose another template there.`,
        ]
      : []),
    ...(isDefault ? ['It is no longer the default template.'] : []),
    `You can restore it for ${RESTORABLE_DAYS} days.`,
  ].join(' ');
export const noneDeleted = `No deleted templates. Deleted templates stay here for ${RESTORABLE_DAYS} days.`;
export const nameTaken = (name: string) => `Another template is named “${name}”. Rename it, then restore this one.`;
