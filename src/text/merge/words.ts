import { conflicts } from '../../domain/messages.ts';
import { withNames } from '../export/person.ts';
import { withoutMarks } from './details.ts';

/** A conflict's value in words: statuses bear their names already, people get theirs, details lose their marks. */
export function valueWords(
  attribute: string,
  value: string,
  nameOf: (accountId: string) => string | undefined,
): string {
  if (value === '') return conflicts.nothing;
  if (attribute === 'kind') return value.startsWith('#') ? conflicts.header(value.length) : conflicts.item;
  return withNames(attribute === 'details' ? withoutMarks(value) : value, { nameOf });
}
