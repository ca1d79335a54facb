import { random } from './random.ts';

/** How many statuses of that length of name a site can have. */
export const STATUSES = 270;
/** How many items with such a label a checklist can have. */
const LABELS = 573;
const LENGTH = 50;
/** Of two names, each changes other characters of their common one, so that no comparison ends early. */
const CHANGED = 8;

const r = random(44);
const letters = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
const common = Array.from({ length: LENGTH }, () => r.pick([...letters]));

function variant(): string {
  const name = [...common];
  for (let change = 0; change < CHANGED; change++) name[r.int(LENGTH)] = r.pick([...letters]);
  return name.join('');
}

const distinct = (count: number, taken: ReadonlySet<string> = new Set()): string[] => {
  const names = new Set<string>();
  while (names.size < count) {
    const name = variant();
    if (!taken.has(name)) names.add(name);
  }
  return [...names];
};

/** Names of statuses that are similar to each other and to the labels of `labelledText`. */
export const similarNames: readonly string[] = distinct(STATUSES);

/** A checklist as large as one can be, each of whose items has a label that no status bears. */
export const labelledText: string = distinct(LABELS, new Set(similarNames))
  .map(label => `- [${label}]`)
  .join('\n');
