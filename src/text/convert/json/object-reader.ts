import { losses } from '../../../domain/messages.ts';
import type { Sliced } from '../../sliced.ts';
import { DraftBuilder, detail, header } from '../blocks.ts';
import { readingHtml } from '../html.ts';
import { rowTypeOf } from '../table/cell-words.ts';
import type { ColumnKind } from '../table/column-names.ts';
import { RowItem } from '../table/row-item.ts';
import { isDocument, markupOf } from './document.ts';
import {
  type Fields,
  fieldsBesidesWord,
  isChildren,
  isFields,
  isWeakField,
  kindOfField,
  unwrapped,
  wordOf,
} from './fields.ts';
import { assembled } from './relations.ts';

/** Parts of a list between two pauses. */
const SLICE_PARTS = 100;

/** Objects within objects are read to this depth. */
const MAX_DEPTH = 20;

const archiveFlags = 'isArchived archived is_archived isTrashed isDeleted deleted is_deleted'.split(' ');
const isArchived = (value: Fields) => archiveFlags.some(name => value[name] === true);
const withoutFlags = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !archiveFlags.includes(key)));

const isHeaderFlag = (key: string) => key === 'isHeader' || key === 'header';
const isTags = (key: string) => key === 'labels' || key === 'tags';

/** The markup of a note, if it is written in some. */
function noteMarkup(part: unknown): string | undefined {
  if (isDocument(part)) return markupOf(part);
  const isHtml = isFields(part) && part.contentType === 'html' && typeof part.content === 'string';
  return isHtml ? String(part.content) : undefined;
}

/** The value of a field as text. */
const textOf = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part));

/** The name of a tag, with its other fields. */
function tagOf(tag: unknown): string {
  const otherFields = fieldsBesidesWord(tag);
  return [wordOf(tag), Object.keys(otherFields).length > 0 ? textOf(otherFields) : ''].filter(Boolean).join(' ');
}

const holdsOthers = (value: unknown): boolean =>
  isFields(value) && Object.entries(value).some(([key, part]) => isChildren(key) && Array.isArray(part));

/** Lists of tasks before lists of sections, whose tasks follow them. */
const inReadingOrder = (lists: readonly unknown[][]): unknown[][] => [
  ...lists.filter(list => !list.some(holdsOthers)),
  ...lists.filter(list => list.some(holdsOthers)),
];

/** The position of an object in the document. */
interface Place {
  /** Counts from 1. */
  depth: number;
  /** Whether it belongs to an item. */
  inItem: boolean;
  /** Whether it is the export as a whole, which is read even if it is archived. */
  isWhole?: boolean;
}

/** The fields of one object that are not read yet. */
class Rest {
  readonly fields: Map<string, unknown>;
  private readonly keysOf = new Map<ColumnKind, string[]>();

  constructor(value: Fields) {
    this.fields = new Map(Object.entries(assembled(Object.fromEntries(unwrapped(value)))));
    for (const key of this.fields.keys()) {
      const kind = kindOfField(key);
      if (kind !== undefined) this.keysOf.set(kind, [...(this.keysOf.get(kind) ?? []), key]);
    }
  }

  /** The fields of a kind that are left. */
  private of(kind: ColumnKind): (readonly [string, unknown])[] {
    return (this.keysOf.get(kind) ?? []).flatMap(key => (this.fields.has(key) ? [[key, this.fields.get(key)]] : []));
  }

  /** The words of the fields of a kind, each read. What an object says besides its word stays. */
  take(kind: ColumnKind): string[] {
    return this.of(kind).flatMap(([key, part]) => {
      const words = (Array.isArray(part) ? part : [part]).map(wordOf);
      if (words.some(word => word === '')) return [];
      const otherFields = (Array.isArray(part) ? part : [part])
        .map(fieldsBesidesWord)
        .filter(one => Object.keys(one).length > 0);
      this.fields.delete(key);
      if (otherFields.length > 0) this.fields.set(`${key} `, Array.isArray(part) ? otherFields : otherFields[0]);
      return words;
    });
  }

  /** The title: of several the first that is likely, a text before a number. */
  takeTitle(): string {
    const texts = this.of('text').filter(([, part]) => typeof part === 'string' || typeof part === 'number');
    const score = ([key, part]: readonly [string, unknown]) =>
      (typeof part === 'string' ? 2 : 0) + (isWeakField(key) ? 0 : 1);
    const [best] = [...texts].sort((a, b) => score(b) - score(a));
    if (best) this.fields.delete(best[0]);
    return wordOf(best?.[1]);
  }

  /** Takes the lists of the objects below this one. */
  takeChildren(): unknown[][] {
    return [...this.fields].flatMap(([key, part]) => {
      const isList = Array.isArray(part) || isFields(part);
      if (!isChildren(key) || !isList) return [];
      this.fields.delete(key);
      if (Array.isArray(part)) return [part as unknown[]];
      const values = Object.values(part as Fields);
      return values.length > 0 && values.every(isFields) ? [values] : [[part]];
    });
  }

  /** Notes that are lists of comments, or markup. */
  takeNotes(): unknown[] {
    return this.of('details').flatMap(([key, part]) => {
      const isNote = Array.isArray(part) || noteMarkup(part) !== undefined;
      if (!isNote) return [];
      this.fields.delete(key);
      return Array.isArray(part) ? part : [part];
    });
  }

  /** Whether the object says that it is a section. */
  takeSectionType(): boolean {
    const type = this.fields.get('type');
    const isSection = typeof type === 'string' && rowTypeOf(type) === 'section';
    if (isSection) this.fields.delete('type');
    return isSection;
  }

  takeFlag(isNamed: (key: string) => boolean): boolean {
    const key = [...this.fields.keys()].find(isNamed);
    const value = key === undefined ? undefined : this.fields.get(key);
    if (key !== undefined && typeof value === 'boolean') this.fields.delete(key);
    return value === true;
  }
}

/**
 * Reads objects by the names of their fields: an object with a title is an item, or a section if it contains objects.
 */
export class ObjectReader {
  readonly draft: DraftBuilder = new DraftBuilder();

  *read(value: unknown, place: Place): Sliced<void> {
    if (place.depth > MAX_DEPTH) this.lose(losses.setting, JSON.stringify(value));
    else if (typeof value === 'string') {
      const rowItem = new RowItem(this.draft, 1, [value], '', true);
      rowItem.write();
      rowItem.writeDetails();
    } else if (Array.isArray(value))
      for (const [index, child] of value.entries()) {
        if (index % SLICE_PARTS === SLICE_PARTS - 1) yield;
        yield* this.read(child, { ...place, isWhole: false });
      }
    else if (isDocument(value)) this.draft.append(yield* readingHtml(markupOf(value)));
    else if (isFields(value)) yield* this.readObject(value, place);
    else if (value !== null) this.lose(losses.setting, String(value));
  }

  private lose(what: string, text: string): void {
    this.draft.lose(what, 1, text);
  }

  private *readObject(value: Fields, place: Place): Sliced<void> {
    yield;
    if (!place.isWhole && isArchived(value)) yield* this.reportArchived(value, place);
    else yield* this.readFields(new Rest(value), place);
  }

  /** Reports an archived object with all that it holds. */
  private *reportArchived(value: Fields, place: Place): Sliced<void> {
    const reader = new ObjectReader();
    yield* reader.read(withoutFlags(value), place);
    const { blocks, lost } = reader.draft;
    this.lose(losses.archived, blocks.map(({ text }) => text).join(' – '));
    this.draft.append({ blocks: [], lost });
  }

  private *readFields(rest: Rest, { depth, inItem }: Place): Sliced<void> {
    const title = rest.takeTitle();
    const childLists = rest.takeChildren();
    const filled = inReadingOrder(childLists.filter(part => part.length > 0));
    const flags = rest.take('done');
    const states = rest.take('status');
    const completed = rest.take('completed');
    const hasState = flags.length + states.length + completed.length > 0;
    const isSection = rest.takeFlag(isHeaderFlag) || rest.takeSectionType();
    const isHeader = isSection || (title !== '' && filled.length > 0 && !hasState && !inItem);
    const isItem = title !== '' && !isHeader && !(inItem && filled.length > 0 && !hasState);
    if (isItem) this.readItem(rest, title, flags, states, completed);
    else {
      // Without a title there is nothing that a state could be of.
      this.lose(losses.setting, [...flags, ...states, ...completed].join(', '));
      if (isHeader) this.draft.add(header(title, Math.min(depth, 6)));
      // The name of a list within an item: its items follow the item.
      else this.lose(losses.nesting, title);
      this.addDetails(rest.take('details').join('\n'));
    }
    for (const note of rest.takeNotes()) yield* this.readNote(note);
    for (const part of filled) {
      if (isItem) this.draft.nest(1, title);
      yield* this.read(part, { depth: isHeader ? depth + 1 : depth, inItem: isItem });
    }
    yield* this.report(rest.fields, title === '' && childLists.length === 0 ? depth : 0);
  }

  private readItem(rest: Rest, title: string, flags: string[], states: string[], completed: string[]): void {
    const rowItem = new RowItem(this.draft, 1, [title], rest.take('key').join(' '), true);
    for (const note of [...rest.take('details'), ...rest.take('text')]) rowItem.addDetails(note);
    for (const state of states) rowItem.addStatus(state);
    for (const flag of flags) rowItem.addDone(flag);
    for (const day of completed) rowItem.complete(day);
    for (const flag of rest.take('mandatory')) rowItem.addMandatory(flag);
    for (const name of rest.take('assignee')) rowItem.addPerson(name);
    const [due, ...days] = rest.take('due');
    if (due !== undefined) rowItem.addDay(due);
    this.lose(losses.setting, days.join(', '));
    rowItem.write();
    rowItem.writeDetails();
  }

  private addDetails(text: string): void {
    for (const line of text.split('\n')) {
      if (line.trim() !== '' && this.draft.above) this.draft.add(detail(line));
      else this.lose(losses.setting, line.trim());
    }
  }

  /** A comment with its author, or a note in markup, whose tasks are items. */
  private *readNote(note: unknown): Sliced<void> {
    const markup = noteMarkup(note);
    if (markup !== undefined) {
      const { blocks, lost } = yield* readingHtml(markup);
      for (const block of blocks) {
        if (block.kind === 'item') this.draft.nest(1, block.text);
        this.draft.add(block.kind === 'item' ? block : detail(block.text));
      }
      this.draft.append({ blocks: [], lost });
    } else if (isFields(note)) {
      const noteFields = new Rest(note);
      const words = [...noteFields.take('text'), ...noteFields.take('details')].join('\n');
      const [author = ''] = [...noteFields.fields].flatMap(([key, part]) => {
        if (!/^(?:author|creator|user|memberCreator)$/.test(key) || wordOf(part) === '') return [];
        noteFields.fields.set(key, fieldsBesidesWord(part));
        return [wordOf(part)];
      });
      this.addDetails([author, words].filter(Boolean).join(': '));
      yield* this.report(noteFields.fields, 0);
    } else this.addDetails(wordOf(note));
  }

  /** Reports what no name explains, a line for each object. Objects that may hold lists under names of their own are read. */
  private *report(rest: ReadonlyMap<string, unknown>, depth: number): Sliced<void> {
    const words: string[] = [];
    for (const [key, part] of rest) {
      const isEmpty = (Array.isArray(part) && part.length === 0) || (isFields(part) && Object.keys(part).length === 0);
      if (isEmpty) continue;
      if (isTags(key) && Array.isArray(part)) this.lose(losses.tag, part.map(tagOf).join(', '));
      else if (depth > 0 && holdsObjects(part)) yield* this.read(part, { depth, inItem: false });
      else words.push(`${key.trim()}: ${textOf(part)}`);
    }
    this.lose(losses.setting, words.join(', '));
  }
}

/** Whether a value is a list of objects, or an object with one in it. */
const holdsObjects = (part: unknown): boolean =>
  isDocument(part) ||
  (Array.isArray(part) && part.some(isFields)) ||
  (isFields(part) && Object.values(part).some(inner => Array.isArray(inner) && inner.some(isFields)));
