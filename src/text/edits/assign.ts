import { DateRef, Mention } from '../../../grammar/parser.terms.ts';
import { applyChanges, cleanText, replaceText } from '../document.ts';
import { ambiguousText, EditRefused } from '../errors.ts';
import { isMarked } from '../head.ts';
import { readChecklist } from '../read.ts';
import { dayInNotationOf, inLineReferences, isIsoDay, type Reference, tailOf } from '../references.ts';
import type { StatusRegistry } from '../status-registry.ts';
import type { Checklist, Row, Target, TextChange } from '../types.ts';
import { headerWithWords } from './marks.ts';
import { type ItemParts, itemOf, readsAs } from './parts.ts';
import { removeWords } from './remove-words.ts';

/*
 * Assignee and due date of an item. Both are in the text: in the tail (mentions and dates at the line's end), where
 * edits write them, or inside the sentence.
 */

/** An item with the references of its content, whose positions count from there. */
interface Line extends ItemParts {
  references: readonly Reference[];
  tail: readonly Reference[];
}

function lineOf(checklist: Checklist, target: Target): Line {
  const parts = itemOf(checklist, target);
  const start = parts.from + parts.head.length;
  const references = inLineReferences(checklist, parts.index).map(reference => ({
    ...reference,
    from: reference.from - start,
    to: reference.to - start,
  }));
  return { ...parts, references, tail: tailOf(references, parts.content, parts.content.length) };
}

interface Assignment {
  assignee: string | undefined;
  dueDate: string | undefined;
}

/**
 * The changes of a content, moved to the text, if it then reads as the same item with that assignment. An item without a
 * mark gets one if only that keeps its text from meaning something else.
 */
function assign(checklist: Checklist, line: Line, changes: readonly TextChange[], wanted: Assignment): TextChange[] {
  const { row, from, head } = line;
  const content = applyChanges(line.content, changes);
  const item = { status: row.status, mandatory: row.mandatory, text: content.replace(/^[ \t\xa0]+|[ \t\xa0]+$/g, '') };
  const fits = (before: string) => {
    const parsedRow = readsAs(checklist, before + content, item);
    return parsedRow?.assignee === wanted.assignee && parsedRow?.dueDate === wanted.dueDate && parsedRow !== undefined;
  };
  const start = from + head.length;
  const moved = changes.map(change => ({
    ...change,
    from: start + change.from,
    to: start + (change.to ?? change.from),
  }));
  // Below another row `>` would make it a detail of that.
  const becomesDetail = !isMarked(head) && content.startsWith('>') && !line.content.startsWith('>');
  if (!becomesDetail && fits(head)) return moved;
  if (isMarked(head) || !fits(`${head}- `)) throw ambiguousText();
  return [{ from: start, insert: '- ' }, ...moved];
}

/** A name with the blanks that keep it from running into the words around it. */
const apart = (before: string, name: string, after: string) =>
  `${/[\p{L}\p{N}_]$/u.test(before) ? ' ' : ''}${name}${/^[\p{L}\p{N}_]/u.test(after) ? ' ' : ''}`;

/** The change that appends a reference to a content. */
function append({ head, content }: Line, insert: string): TextChange {
  const needsBlank = content !== '' || (isMarked(head) && !/[ \t\xa0]$/.test(head));
  return { from: content.length, insert: needsBlank ? ` ${insert}` : insert };
}

const firstOf = (references: readonly Reference[], type: number) => references.find(found => found.type === type);

const ofType = (references: readonly Reference[], type: number) => references.filter(found => found.type === type);

/**
 * Assigns an item to an account: replaces the tail's mentions, else appends one. Throws `EditRefused` on a header and for
 * an invalid account id.
 */
export function setAssignee(checklist: Checklist, target: Target, accountId: string): TextChange[] {
  const line = lineOf(checklist, target);
  if (!/^[A-Za-z0-9:_-]{1,128}$/.test(accountId))
    throw new EditRefused('INVALID_PERSON', 'This is not the account ID of a person.');
  if (line.row.assignee === accountId) return [];
  const [old, ...more] = ofType(line.tail, Mention);
  const changes = old
    ? [...replaceText(old.value, accountId, old.to - 1 - old.value.length), ...removeWords(line.content, more)]
    : [append(line, `[~accountid:${accountId}]`)];
  return assign(checklist, line, changes, { assignee: accountId, dueDate: line.row.dueDate });
}

/**
 * Unassigns an item: removes the tail's mentions and replaces those inside the sentence by plain names from `nameOf`.
 * Throws `EditRefused` on a header, and if a required name is missing.
 */
export function clearAssignee(
  checklist: Checklist,
  target: Target,
  nameOf: (accountId: string) => string | undefined = () => undefined,
): TextChange[] {
  const line = lineOf(checklist, target);
  const people = ofType(line.references, Mention);
  if (people.length === 0) return [];
  const tail = ofType(line.tail, Mention);
  const names = people.slice(0, people.length - tail.length).flatMap(({ from, to, value }) => {
    const name = cleanText(nameOf(value) ?? '')
      .text.replace(/\s+/g, ' ')
      .trim();
    if (!name)
      throw new EditRefused(
        'NAME_REQUIRED',
        'The text mentions a person whose name is needed to take the assignment away.',
      );
    const { content } = line;
    const [before, after] = [content.slice(Math.max(0, from - 2), from), content.slice(to, to + 2)];
    return replaceText(content.slice(from, to), apart(before, name, after), from);
  });
  const changes = [...names, ...removeWords(line.content, tail)];
  return assign(checklist, line, changes, { assignee: undefined, dueDate: line.row.dueDate });
}

/**
 * Sets the day by which an item is due, given as `yyyy-mm-dd`: in place of the tail's first day and in its notation, else
 * at the line's end. Throws `EditRefused` on a header and for what is no day.
 */
export function setDueDate(checklist: Checklist, target: Target, day: string): TextChange[] {
  const line = lineOf(checklist, target);
  if (!isIsoDay(day)) throw new EditRefused('INVALID_DAY', 'Write the day as 2026-11-20, in the years 1900 to 2199.');
  if (line.row.dueDate === day) return [];
  const old = firstOf(line.tail, DateRef);
  const written = old && line.content.slice(old.from, old.to);
  const changes = old && written ? replaceText(written, dayInNotationOf(written, day), old.from) : [append(line, day)];
  return assign(checklist, line, changes, { assignee: line.row.assignee, dueDate: day });
}

/** Removes every day from an item's line, also days inside the sentence. Throws `EditRefused` on a header. */
export function clearDueDate(checklist: Checklist, target: Target): TextChange[] {
  const line = lineOf(checklist, target);
  const changes = removeWords(line.content, ofType(line.references, DateRef));
  return changes.length === 0
    ? []
    : assign(checklist, line, changes, { assignee: line.row.assignee, dueDate: undefined });
}

/**
 * A row's text with other words: what is shown beside them stays at the row's end, unless a person or a day is typed there
 * in its place. For `rename`.
 */
export function textWithWords(row: Row, typed: string, statuses: StatusRegistry): string {
  const words = cleanText(typed).text.trim();
  if (words === row.words) return row.text;
  if (row.kind === 'header') return headerWithWords(row, words.replace(/\s*\n\s*/g, ' '));
  const chips = row.text.slice(row.words.length).match(/\[~[^\]]*\]|[^[\s]+/g) ?? [];
  if (chips.length === 0 || words === '') return words;
  const checklist = readChecklist(`- ${words.replace(/\s*\n\s*/g, ' ')}`, statuses);
  const tail = tailOf(inLineReferences(checklist, 0), checklist.text, checklist.text.length);
  const isTyped = (chip: string) => firstOf(tail, chip.startsWith('[') ? Mention : DateRef) !== undefined;
  return [words, ...chips.filter(chip => !isTyped(chip))].join(' ');
}
