import { losses } from '../../domain/messages.ts';
import type { BuiltInSlug } from '../../domain/statuses.ts';
import type { Sliced } from '../sliced.ts';
import { type Draft, DraftBuilder, detail, header, item } from './blocks.ts';
import { dueDayOfTime, statusOfWord } from './cell-words.ts';
import { boxedItem } from './head.ts';
import { readingText } from './text.ts';

/*
 * Exports of task apps as JSON. Apps name the parts of a list much alike, so one reader goes by the names: an object with
 * a title is an item, or a section if it holds others. Trello's boards refer from cards to lists and from checklists to
 * cards instead, and are put together first.
 */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const titles = 'title name text content summary label task subject displayName'.split(' ');
const children = (
  'items tasks checkItems checklists checklist subtasks children todos sections lists cards listContent checklistItems ' +
  'subTasks steps'
).split(' ');
const flags = 'checked done completed complete isCompleted is_completed isDone isChecked dueComplete'.split(' ');
const times = 'completedAt completed_at dateCompleted completedDate completedTime'.split(' ');
const states = 'status state statusName'.split(' ');
const days = 'due dueDate due_date due_on deadline dueDateTime'.split(' ');
const notes = 'notes note desc description details body'.split(' ');
const people = 'assignee assigneeName assignedTo owner'.split(' ');
const headers = 'isHeader header'.split(' ');

/** Objects within objects are read to this depth. */
const MAX_DEPTH = 20;

/** Brackets may nest this deep. */
const MAX_BRACKETS = 200;

/** Trello's board: cards in their lists, checklists in their cards. */
function boardOf(board: Fields): Fields {
  const cards = fieldsOf(board.cards);
  const checklists = fieldsOf(board.checklists);
  const byPlace = (a: Fields, b: Fields) => Number(a.pos ?? 0) - Number(b.pos ?? 0);
  const lists = fieldsOf(board.lists).map(list => ({
    ...list,
    cards: cards
      .filter(card => card.idList === list.id)
      .sort(byPlace)
      .map(card => ({
        ...card,
        checklists: checklists
          .filter(checklist => checklist.idCard === card.id)
          .sort(byPlace)
          .map(checklist => ({ ...checklist, checkItems: fieldsOf(checklist.checkItems).sort(byPlace) })),
      })),
  }));
  return { name: board.name, lists };
}

class JsonReader {
  readonly draft: DraftBuilder = new DraftBuilder();

  *read(value: unknown, depth: number, inItem: boolean): Sliced<void> {
    if (depth > MAX_DEPTH) this.lose(losses.setting, JSON.stringify(value));
    else if (typeof value === 'string') this.item(value, 'todo', false);
    else if (Array.isArray(value)) for (const child of value) yield* this.read(child, depth, inItem);
    else if (isFields(value)) yield* this.fields(value, depth, inItem);
    else if (value !== null) this.lose(losses.setting, String(value));
  }

  private lose(what: string, text: string): void {
    this.draft.lose(what, 1, text);
  }

  private item(text: string, status: BuiltInSlug, mandatory: boolean): void {
    const [first = '', ...more] = text.split('\n');
    const boxed = status === 'todo' && !mandatory ? boxedItem(first, 1, this.draft) : undefined;
    this.draft.add(boxed ?? item(first, status, mandatory));
    for (const line of more) if (line.trim() !== '') this.draft.add(detail(line));
  }

  private *fields(value: Fields, depth: number, inItem: boolean): Sliced<void> {
    yield;
    const rest = new Map(Object.entries(value).filter(([, part]) => part !== null && part !== ''));
    const take = (names: readonly string[], fits: (part: unknown) => boolean): unknown => {
      const name = names.find(key => rest.has(key) && fits(rest.get(key)));
      const found = name === undefined ? undefined : rest.get(name);
      if (name !== undefined) rest.delete(name);
      return found;
    };
    const word = (found: unknown): string => {
      if (typeof found === 'string') return found.trim();
      if (typeof found === 'number' || typeof found === 'boolean') return String(found);
      return isFields(found)
        ? word(found.name ?? found.date ?? found.dateTime ?? found.displayName ?? found.value)
        : '';
    };
    const takeWord = (names: readonly string[]) => word(take(names, part => word(part) !== ''));
    const title = takeWord(titles.filter(name => !isFields(value[name])));
    const held = children.flatMap(name => {
      const part = rest.get(name);
      if (!Array.isArray(part)) return [];
      rest.delete(name);
      return [part as readonly unknown[]];
    });
    const filled = held.filter(part => part.length > 0);
    const flag = takeWord(flags);
    const completed = takeWord(times);
    const state = takeWord(states);
    const slug = statusOfWord(state);
    const isDay = /^\d{4}-/.test(flag);
    const isDone = statusOfWord(flag) === 'done' || isDay || completed !== '';
    if (flag !== '' && !statusOfWord(flag)) this.lose(isDay ? losses.setting : losses.status, flag);
    const hasState = flag !== '' || state !== '' || completed !== '';
    const isHeader =
      take(headers, part => part === true) === true || (title !== '' && filled.length > 0 && !hasState && !inItem);
    if (completed !== '') this.lose(losses.setting, completed);
    // Without a title there is nothing that a state could be of.
    if (title === '') this.lose(losses.setting, [flag, state].filter(Boolean).join(', '));
    if (title !== '' && value.closed === true) {
      this.lose(losses.archived, title);
      return;
    }
    // The name of a list within an item: its items follow the item.
    if (inItem && filled.length > 0 && !hasState) this.lose(losses.nesting, title);
    else if (isHeader) this.draft.add(header(title, Math.min(depth, 6)));
    else if (title !== '') {
      const due = takeWord(days);
      const day = /^\d{4}-\d\d-\d\d/.exec(due)?.[0] ?? dueDayOfTime(due) ?? '';
      const label = slug === undefined && state !== '' && /^[^[\]~][^[\]]{0,49}$/.test(state) ? `[${state}] ` : '';
      if (state !== '' && slug === undefined) this.lose(losses.status, state);
      this.item(
        `${label}${title}${day === '' ? '' : ` ${day}`}`,
        isDone ? 'done' : (slug ?? 'todo'),
        value.mandatory === true,
      );
      if (typeof value.mandatory === 'boolean') rest.delete('mandatory');
      if (due !== '' && day === '') this.draft.add(detail(`Due: ${due}`));
      const person = takeWord(people);
      if (person !== '') this.draft.add(detail(`Assignee: ${person}`));
    }
    for (const line of takeWord(notes).split('\n')) {
      if (line.trim() !== '' && this.draft.above) this.draft.add(detail(line));
      else this.lose(losses.setting, line.trim());
    }
    for (const part of filled) {
      if (!isHeader && title !== '') this.draft.nest(1, title);
      yield* this.read(part, isHeader ? depth + 1 : depth, title !== '' && !isHeader);
    }
    yield* this.report(rest, title === '' && filled.length === 0 && held.length === 0 ? depth : 0);
  }

  /** Reports what no name explains, a line for each object. Objects that may hold lists under names of their own are read. */
  private *report(rest: ReadonlyMap<string, unknown>, depth: number): Sliced<void> {
    const words: string[] = [];
    for (const [key, part] of rest) {
      if (depth > 0 && Array.isArray(part) && part.some(isFields)) yield* this.read(part, depth, false);
      else words.push(`${key}: ${typeof part === 'string' ? part : JSON.stringify(part)}`);
    }
    this.lose(losses.setting, words.join(', '));
  }
}

/** Whether brackets nest no deeper than exports do. Those within strings count as well. */
function isShallow(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MAX_BRACKETS) return false;
  }
  return true;
}

/** The value of a text that is JSON as a whole. */
export function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text) || !isShallow(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is JSON as a whole and holds objects, or is a list of texts. */
export function isJson(text: string): boolean {
  const value = jsonOf(text);
  const isListOfTexts = Array.isArray(value) && value.length > 1 && value.every(part => typeof part === 'string');
  return isListOfTexts || (value !== undefined && /\{\s*"/.test(text));
}

/** Exports of Trello, Google Tasks, Checklist for Jira and others as JSON; a text that is none is read as text. */
export function* readingJson(text: string): Sliced<Draft> {
  const value = jsonOf(text);
  if (value === undefined) return yield* readingText(text);
  const isBoard = isFields(value) && Array.isArray(value.cards) && Array.isArray(value.lists);
  const reader = new JsonReader();
  yield* reader.read(isBoard ? boardOf(value) : value, 1, false);
  return reader.draft;
}
