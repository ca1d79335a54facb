import type { TreeCursor } from '@lezer/common';
import type { Reader } from '../../../grammar/characters.ts';
import {
  Bold,
  DateRef,
  Details,
  Emoji,
  Header,
  IssueKey,
  IssueUrl,
  Italic,
  Item,
  Link,
  Mention,
  MentionName,
  StatusLabel,
  Strike,
  Url,
} from '../../../grammar/parser.terms.ts';
import { dateEnd } from '../../../grammar/references.ts';
import { dayInNotationOf } from '../references.ts';
import { rowAt } from '../rows.ts';
import type { Checklist } from '../types.ts';
import { isBox } from './box.ts';
import type { Fixes, Report } from './finding.ts';
import { unknownStatus } from './status.ts';

const containers = new Set([Item, Header, Details, Bold, Italic, Strike, Link, StatusLabel]);
const references = new Set([IssueKey, DateRef, Mention, MentionName, Url, IssueUrl, Emoji]);

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The day of the calendar that is nearest to what has the shape of a date, in ISO form; no day for other years. */
function nearestDay(shape: string): string | undefined {
  const [first = 0, middle = 0, last = 0] = shape.split(/\D/).map(Number);
  const [year, day] = /^\d{4}/.test(shape) ? [first, last] : [last, first];
  if (year < 1900 || year > 2199) return undefined;
  const month = Math.min(Math.max(middle, 1), 12);
  const most = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return `${year}-${twoDigits(month)}-${twoDigits(Math.min(Math.max(day, 1), most))}`;
}

/** The reading of a text by the grammar, with other characters from `at` on. */
const readerOf = (text: string, at = 0, instead = ''): Reader => ({
  peek: offset => {
    const inside = offset >= at && offset < at + instead.length;
    const unit = inside ? instead.charCodeAt(offset - at) : text.charCodeAt(offset);
    return Number.isNaN(unit) ? -1 : unit;
  },
});

/** Dates that are no day of a calendar, in a stretch of text: only if the nearest real day would read as a date. */
function impossibleDates(text: string, from: number, to: number, report: Report): void {
  const shapes = /(?<!\d)(?:\d{4}([./-])\d{2}\1\d{2}|\d{2}([./-])\d{2}\2\d{4})/g;
  for (const match of text.slice(from, to).matchAll(shapes)) {
    const at = from + match.index;
    const [written] = match;
    const day = nearestDay(written);
    if (day === undefined) continue;
    const insert = dayInNotationOf(written, day);
    if (dateEnd(readerOf(text), at) > 0 || dateEnd(readerOf(text, at, insert), at) < 0) continue;
    report({
      from: at,
      to: at + 10,
      code: 'IMPOSSIBLE_DATE',
      message: `The date ${written} doesn't exist.`,
    });
  }
}

export const impossibleDateFixes: Fixes = ({ text }, { from, to }) => {
  const written = text.slice(from, to);
  const day = nearestDay(written);
  if (day === undefined) return [];
  const insert = dayInNotationOf(written, day);
  return [{ kind: 'change', title: `Change to ${insert}`, changes: [{ from, to, insert }] }];
};

export const unresolvedMentionFixes: Fixes = ({ text }, { from, to }) => [
  { kind: 'pickPerson', title: 'Choose a person', name: text.slice(from + 1, to) },
];

/** Whether a label holds one reference and nothing else, as `[ABC-12]` does: then it was hardly meant as a status. */
function isReference({ node: label }: TreeCursor, text: string): boolean {
  const inner = label.firstChild?.nextSibling;
  if (!inner || !references.has(inner.type.id)) return false;
  return text.slice(label.from + 1, inner.from).trim() === '' && text.slice(inner.to, label.to - 1).trim() === '';
}

/** Diagnoses the row at the cursor, details included. `index` is its index. */
export function diagnoseWords(cursor: TreeCursor, checklist: Checklist, index: number, report: Report): void {
  const { text, starts } = checklist;
  const contentFrom = (starts[index] ?? 0) + rowAt(checklist, index).content.from;
  const { from, to } = cursor;
  let position = from;
  if (cursor.firstChild()) {
    do {
      impossibleDates(text, position, cursor.from, report);
      position = cursor.to;
      const { id } = cursor.type;
      if (id === MentionName) {
        const name = text.slice(cursor.from + 1, cursor.to);
        report({
          from: cursor.from,
          to: cursor.to,
          code: 'UNRESOLVED_MENTION',
          message: `@${name} isn't linked to a person yet.`,
        });
      } else if (id === StatusLabel && cursor.from < contentFrom) {
        // The name of a status is a name, whatever it holds.
      } else if (containers.has(id)) {
        if (id === StatusLabel && !isReference(cursor, text) && !isBox(text.slice(cursor.from, cursor.to)))
          unknownStatus(checklist, cursor, report);
        diagnoseWords(cursor, checklist, index, report);
      }
    } while (cursor.nextSibling());
    cursor.parent();
  }
  impossibleDates(text, position, to, report);
}
