import type { TreeCursor } from '@lezer/common';
import { isBlank, isLineEnd } from '../../grammar/characters.ts';
import {
  Customers,
  Details,
  DetailsMark,
  Gate,
  Header,
  HeaderMark,
  IssueKey,
  Mandatory,
  Mention,
  StatusLabel,
} from '../../grammar/parser.terms.ts';
import { markStatus } from '../../grammar/props.ts';
import { builtInStatuses, type Status } from '../domain/statuses.ts';
import { distinctGates, gateNameOf, tailStart } from './header/marks.ts';
import { assignmentOf, collectReferences, type Reference, valuesOf } from './references.ts';
import type { StatusRegistry } from './status-registry.ts';
import type { CheckboxRow, Detail, HeaderRow, Row, SectionMark } from './types.ts';

/**
 * The range of a line's text, without the blanks around it and the line break. The range of an empty text is at the
 * line's end.
 */
function contentRange(text: string, from: number, to: number): { from: number; to: number } {
  let lineTo = to;
  while (lineTo > from && isLineEnd(text.charCodeAt(lineTo - 1))) lineTo--;
  let end = lineTo;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  if (end === from) return { from: lineTo, to: lineTo };
  let start = from;
  while (isBlank(text.charCodeAt(start))) start++;
  return { from: start, to: end };
}

function readDetail(cursor: TreeCursor, text: string, rowFrom: number, references: Reference[]): Detail {
  let { from } = cursor;
  const { to } = cursor;
  if (cursor.firstChild()) {
    do {
      if (cursor.type.id === DetailsMark) from = cursor.to;
      else collectReferences(cursor, text, references);
    } while (cursor.nextSibling());
    cursor.parent();
  }
  const content = contentRange(text, from, to);
  return { from: content.from - rowFrom, to: content.to - rowFrom, text: text.slice(content.from, content.to) };
}

/**
 * The values of a header's marks, and its words without the marks at its end. A header that consists of marks shows
 * them as its words.
 */
function headerOf(marks: readonly SectionMark[], line: string, contentFrom: number) {
  if (marks.length === 0) return { words: line, gates: none, customers: false, marks: none };
  const inLine = marks.map(mark => ({ ...mark, from: mark.from - contentFrom, to: mark.to - contentFrom }));
  const gates = distinctGates(marks.flatMap(({ gate }) => gate ?? []));
  const words = line.slice(0, tailStart(inLine, line)).trimEnd() || line;
  return { words, gates, customers: marks.some(({ gate }) => gate === undefined), marks };
}

const none: readonly never[] = [];

/** The row of the `Header` or `Item` at the cursor, which stays there. */
export function readRow(cursor: TreeCursor, text: string, statuses: StatusRegistry): Row {
  const { from: start, to: end } = cursor;
  const isHeader = cursor.type.id === Header;
  let level = 1;
  let status: Status = statuses.bySlug('todo') ?? builtInStatuses[0];
  let mandatory = false;
  let contentFrom = start;
  let lineTo = end;
  let prefix = true;
  const details: Detail[] = [];
  const inLine: Reference[] = [];
  const inDetails: Reference[] = [];
  const marks: SectionMark[] = [];

  if (cursor.firstChild()) {
    do {
      const { id } = cursor.type;
      const label = id === StatusLabel ? statuses.byName(text.slice(cursor.from + 1, cursor.to - 1)) : undefined;
      const slug = cursor.type.prop(markStatus);
      if (slug) status = statuses.bySlug(slug) ?? status;
      else if (label) status = label;
      else if (id === Mandatory) mandatory ||= prefix;
      else if (id === HeaderMark) level = cursor.to - cursor.from;
      else if (id === Details) {
        lineTo = Math.min(lineTo, cursor.from);
        details.push(readDetail(cursor, text, start, inDetails));
        continue;
      } else {
        // A label that names no status is text, and then so is a `!` behind it.
        prefix = false;
        const at = { from: cursor.from - start, to: cursor.to - start };
        if (id === Gate) marks.push({ ...at, gate: gateNameOf(text.slice(cursor.from, cursor.to)) });
        else if (id === Customers) marks.push(at);
        else collectReferences(cursor, text, inLine);
      }
      if (prefix) contentFrom = cursor.to;
    } while (cursor.nextSibling());
    cursor.parent();
  }

  const content = contentRange(text, contentFrom, lineTo);
  const references = inDetails.length === 0 ? inLine : [...inLine, ...inDetails];
  const line = text.slice(content.from, content.to);
  const base = {
    length: end - start,
    text: line,
    content: { from: content.from - start, to: content.to - start },
    details,
    mentions: valuesOf(references, Mention),
    issueKeys: valuesOf(references, IssueKey),
  };
  if (isHeader) {
    const header = headerOf(marks, line, base.content.from);
    return { kind: 'header', level: level as HeaderRow['level'], ...base, ...header } satisfies HeaderRow;
  }
  const { assignment, wordsTo } = assignmentOf(inLine, text, content.to);
  // A line that consists of a person or a day shows it as its words.
  const words = wordsTo < content.to ? line.slice(0, wordsTo - content.from).trimEnd() || line : line;
  return { kind: 'checkbox', status, mandatory, ...base, words, ...assignment } satisfies CheckboxRow;
}
