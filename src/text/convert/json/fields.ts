import { type ColumnKind, isWeakTitle, kindOfName } from '../table/column-names.ts';

/** An object of an export. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** The words of a field's name: `dueDate`, `due_date` and `due-date` are the due date. */
const wordsOf = (key: string): string => key.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace(/[_-]+/g, ' ');

/** The meaning of a field for an item, by the names that columns of tables have. */
export function kindOfField(key: string): ColumnKind | undefined {
  const kind = kindOfName(wordsOf(key));
  if (kind !== undefined) return kind;
  return key.toLowerCase() === 'label' ? 'text' : undefined;
}

/** Whether another title of an object is a likelier one. */
export const isWeakField = (key: string): boolean => isWeakTitle(wordsOf(key)) || key.toLowerCase() === 'label';

const children = new Set(
  (
    'items tasks checkItems checklists checklist checklist-items subtasks children todos sections lists cards listContent ' +
    'checklistItems subTasks steps stacks buckets columns groups items_page nodes edges'
  ).split(' '),
);

/** Whether a field holds the objects below an object. */
export const isChildren = (key: string): boolean => children.has(key);

const wrappers = new Set(['attributes', 'fields', 'properties', 'data', 'node']);

/** The fields of an object, with the fields of its wrapper objects. The object's own fields go first. */
export function unwrapped(value: Fields): Map<string, unknown> {
  const flatFields = new Map(Object.entries(value));
  for (const [key, part] of Object.entries(value)) {
    if (!wrappers.has(key) || !isFields(part)) continue;
    flatFields.delete(key);
    for (const [name, field] of Object.entries(part))
      flatFields.set(flatFields.has(name) ? `${key}.${name}` : name, field);
  }
  for (const [key, part] of flatFields) if (part === null || part === '') flatFields.delete(key);
  return flatFields;
}

const labels = [
  'name',
  'date',
  'dateTime',
  'displayName',
  'fullName',
  'username',
  'login',
  'status',
  'content',
  'value',
];

/** The word or number that a field holds, or that an object with a name or a day in it stands for. */
export function wordOf(part: unknown): string {
  if (typeof part === 'string') return part.trim();
  if (typeof part === 'number' || typeof part === 'boolean') return String(part);
  const label = isFields(part) ? labels.find(name => wordOf(part[name]) !== '') : undefined;
  return label === undefined || !isFields(part) ? '' : wordOf(part[label]);
}

/** The fields of an object that `wordOf` does not use. */
export function fieldsBesidesWord(part: unknown): Fields {
  if (!isFields(part)) return {};
  const label = labels.find(name => wordOf(part[name]) !== '');
  return Object.fromEntries(
    Object.entries(part).filter(([key, value]) => key !== label && value !== null && value !== '' && value !== false),
  );
}
