import type { Conflict } from '../../client/changes.ts';
import { builtInStatuses } from '../../domain/statuses.ts';

const attributes: Record<string, string> = {
  status: 'the status',
  mandatory: 'whether it is mandatory',
  text: 'the text',
  assignee: 'the assignee',
  dueDate: 'the due date',
  details: 'the details',
  place: 'the place',
};

/** A value in words that people know: statuses by name, nothing as such. */
const shown = (attribute: string, value: string): string => {
  if (value === '') return 'nothing';
  const status = attribute === 'status' && builtInStatuses.find(({ slug }) => slug === value);
  return `“${status ? status.name : value}”`;
};

/** One conflict as a sentence. What this user wrote was kept; what somebody else wrote is quoted. */
export function conflictText({ row, attribute, mine, theirs }: Conflict): string {
  const what = attributes[attribute] ?? attribute;
  return `“${row}”: you and somebody else changed ${what}. Yours, ${shown(attribute, mine)}, was kept; theirs was ${shown(attribute, theirs)}.`;
}

export const conflictTitle = 'Somebody else changed the same items meanwhile.';
