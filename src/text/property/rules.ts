import { workflow as say } from '../../domain/messages.ts';
import { type OpenItems, type RuleData, ruleKey } from '../../domain/workflow/data.ts';
import { plainWords } from '../plain-text.ts';
import { sections } from '../progress.ts';
import type { CheckboxRow, Checklist, Row } from '../types.ts';

/** An item's words in a refusal are cut after this length. */
const MAX_NAME_CHARS = 40;
/** Only this many days on which open items are due are counted: the earliest ones. */
const MAX_DAYS = 20;

/** An item with its index among the rows. */
interface Item {
  row: CheckboxRow;
  index: number;
}

const isOpen = ({ row }: Item) => !row.status.checked;
const isLeft = ({ row }: Item) => !row.status.checked || row.status.slug === 'skipped';

const gatesOf = (header: Row | undefined): readonly string[] => (header?.kind === 'header' ? header.gates : []);

/** Gates of sections with open items, each name as first written. For searches. */
export function openGates({ rows }: Pick<Checklist, 'rows'>): string[] {
  const names = new Map<string, string>();
  for (const { header, progress } of sections({ rows })) {
    if (progress.checked === progress.total) continue;
    for (const gate of gatesOf(rows[header])) if (!names.has(ruleKey(gate))) names.set(ruleKey(gate), gate);
  }
  return [...names.values()];
}

/** Items by a name, each once, in text order; the name as first written. */
class Groups {
  readonly #groups = new Map<string, { name: string; items: Set<Item> }>();

  add(name: string, items: readonly Item[]): void {
    const group = this.#groups.get(ruleKey(name)) ?? { name, items: new Set() };
    for (const item of items) group.items.add(item);
    this.#groups.set(ruleKey(name), group);
  }

  /** A record of what each group becomes. */
  map(sentence: (name: string, items: readonly Item[]) => string): Record<string, string> {
    const entries = [...this.#groups].map(([key, { name, items }]) => [key, sentence(name, [...items])] as const);
    return Object.fromEntries(entries);
  }
}

/** The number of items before each row, and of all. */
function itemsBefore(rows: readonly Row[]): number[] {
  let count = 0;
  const before = rows.map(({ kind }) => (kind === 'checkbox' ? count++ : count));
  return [...before, count];
}

/** The groups of a checklist's items. */
function groupsOf(checklist: Checklist) {
  const { rows, statuses } = checklist;
  const items = rows.flatMap((row, index): Item[] => (row.kind === 'checkbox' ? [{ row, index }] : []));
  const before = itemsBefore(rows);
  const bySection = new Groups();
  const byGate = new Groups();
  for (const { header, end } of sections(checklist)) {
    const sectionItems = items.slice(before[header], before[end]);
    bySection.add(plainWords(checklist, header), sectionItems);
    for (const gate of gatesOf(rows[header])) byGate.add(gate, sectionItems);
  }
  const byStatus = new Groups();
  for (const { name } of statuses.list) byStatus.add(name, []);
  for (const item of items) byStatus.add(item.row.status.name, [item]);
  return { items, bySection, byGate, byStatus };
}

/** The due days of open items. Each day has its items and the items of all earlier days. */
function dueDays(items: readonly Item[]): { day: number; upTo: Item[] }[] {
  const dated = items
    .flatMap(item =>
      isOpen(item) && item.row.dueDate ? [{ item, day: Number(item.row.dueDate.replaceAll('-', '')) }] : [],
    )
    .sort((a, b) => a.day - b.day || a.item.index - b.item.index);
  const days = [...new Set(dated.map(({ day }) => day))].slice(0, MAX_DAYS);
  return days.map(day => ({ day, upTo: dated.filter(entry => entry.day <= day).map(({ item }) => item) }));
}

/** The data, with what `end` adds to a sentence about items. */
function dataWith(checklist: Checklist, end: (items: readonly Item[]) => string): RuleData {
  const { items, bySection, byGate, byStatus } = groupsOf(checklist);
  const sentence = (of: readonly Item[], words: (count: number) => string): string =>
    of.length === 0 ? '' : words(of.length) + end(of);

  // Names find room in the order of these members.
  const openItems = (isAgainst: (item: Item) => boolean): OpenItems => {
    const against = items.filter(isAgainst);
    return {
      // Rounded down, so that 100 means all.
      percent: items.length === 0 ? 0 : Math.floor(((items.length - against.length) * 100) / items.length),
      mandatory: sentence(
        against.filter(({ row }) => row.mandatory),
        say.mandatoryOpen,
      ),
      all: sentence(against, say.open),
      gates: byGate.map((name, of) => sentence(of.filter(isAgainst), count => say.openBefore(name, count))),
      sections: bySection.map((name, of) => sentence(of.filter(isAgainst), count => say.openIn(name, count))),
    };
  };
  return {
    total: items.length,
    ...openItems(isOpen),
    statuses: byStatus.map((name, of) => sentence(of, count => say.inStatus(name, count))),
    due: dueDays(items).map(({ day, upTo }) => ({ d: day, t: sentence(upTo, say.overdue) })),
    ...(items.some(item => isLeft(item) && !isOpen(item)) && { strict: openItems(isLeft) }),
  };
}

/** The counts by which workflow rules decide, without names of items. */
export const ruleCounts = (checklist: Checklist): RuleData => dataWith(checklist, () => '');

function nameOf(checklist: Checklist, { index }: Item): string {
  const words = [...(plainWords(checklist, index) || 'Item without text')];
  return words.length > MAX_NAME_CHARS
    ? `${words
        .slice(0, MAX_NAME_CHARS - 1)
        .join('')
        .trimEnd()}…`
    : words.join('');
}

/**
 * The counts by which workflow rules decide, with the names of open items. `room` is how many characters of JSON the
 * names may take; the last rules go without names.
 */
export function ruleData(checklist: Checklist, room: number): RuleData {
  let remainingRoom = room;
  return dataWith(checklist, items => {
    const names = items.slice(0, say.MAX_NAMED_ITEMS).map(item => nameOf(checklist, item));
    const text = say.named(names, items.length);
    const size = JSON.stringify(text).length - 2;
    if (size > remainingRoom) return '';
    remainingRoom -= size;
    return text;
  });
}
