import { applyChanges, cleanText } from '../document.ts';
import { ambiguousText, EditRefused } from '../errors.ts';
import { distinctGates, isGateName, type Mark, markKey, markText } from '../header/marks.ts';
import type { Checklist, HeaderRow, SectionMark, Target, TextChange } from '../types.ts';
import { joinChanges } from './join-changes.ts';
import { type Parts, partsOf } from './parts.ts';
import { readLine } from './read-line.ts';
import { removeWords } from './remove-words.ts';

/*
 * Gates of a section, and whether customers see it: marks in its header's line. Edits write them at the line's end, and
 * take them away wherever they stand.
 */

type HeaderParts = Parts & { row: HeaderRow };

function headerOf(checklist: Checklist, target: Target): HeaderParts {
  const parts = partsOf(checklist, target);
  if (parts.row.kind !== 'header') throw new EditRefused('NOT_A_HEADER', 'Only a section has gates and viewers.');
  return { ...parts, row: parts.row };
}

const keysOf = (marks: readonly Mark[]): string => [...new Set(marks.map(markKey))].sort().join('\n');

/**
 * The changes that remove marks from a header and add marks at its end, if the result reads as a header with exactly
 * these marks.
 */
function remark(parts: HeaderParts, removed: readonly SectionMark[], added: readonly Mark[]): TextChange[] {
  const { row, head, content } = parts;
  const inContent = (at: number) => at - row.content.from;
  const words = removed.map(({ from, to }) => ({ from: inContent(from), to: inContent(to) }));
  const removals = removeWords(content, words);
  const remainingText = applyChanges(content, removals);
  const marks = added.map(markText).join(' ');
  const insert = marks === '' || (remainingText === '' && /[ \t\xa0]$/.test(head)) ? marks : ` ${marks}`;
  const changes = joinChanges(removals, insert === '' ? [] : [{ from: content.length, insert }]);

  const [parsedHeader] = readLine(head + applyChanges(content, changes)).rows;
  const remainingMarks = row.marks.filter(mark => !removed.includes(mark));
  if (parsedHeader?.kind !== 'header' || keysOf(parsedHeader.marks) !== keysOf([...remainingMarks, ...added]))
    throw ambiguousText();
  const start = parts.from + head.length;
  return changes.map(change => ({ ...change, from: start + change.from, to: start + (change.to ?? change.from) }));
}

/**
 * Gives a section these gates, names of the tracker's statuses, and no others; their order does not count. Throws
 * `EditRefused` on an item and for a name that a mark cannot hold.
 */
export function setGates(checklist: Checklist, target: Target, names: readonly string[]): TextChange[] {
  const parts = headerOf(checklist, target);
  const gates = distinctGates(names.map(name => cleanText(name).text.trim().replace(/\s+/g, ' ')));
  if (!gates.every(isGateName))
    throw new EditRefused('INVALID_GATE', 'The name of this status cannot be written in a checklist.');
  const wantedKeys = new Set(gates.map(gate => markKey({ gate })));
  const { marks } = parts.row;
  const present = new Set(marks.map(markKey));
  const removed = marks.filter(mark => mark.gate !== undefined && !wantedKeys.has(markKey(mark)));
  const added = gates.filter(gate => !present.has(markKey({ gate }))).map(gate => ({ gate }));
  return removed.length === 0 && added.length === 0 ? [] : remark(parts, removed, added);
}

/** Shows a section to portal customers, or no longer. Throws `EditRefused` on an item. */
export function setCustomers(checklist: Checklist, target: Target, customers: boolean): TextChange[] {
  const parts = headerOf(checklist, target);
  if (parts.row.customers === customers) return [];
  const removed = customers ? [] : parts.row.marks.filter(({ gate }) => gate === undefined);
  return remark(parts, removed, customers ? [{}] : []);
}

/** A header's text with other words: the marks at its end stay, unless they are typed again. */
export function headerWithWords(row: HeaderRow, words: string): string {
  const { from } = row.content;
  const tail = row.marks.filter(mark => mark.from - from >= row.words.length);
  if (tail.length === 0 || words === '') return words;
  const [parsedHeader] = readLine(`# ${words}`).rows;
  const typed = new Set(parsedHeader?.kind === 'header' ? parsedHeader.marks.map(markKey) : []);
  const keptMarks = tail
    .filter(mark => !typed.has(markKey(mark)))
    .map(mark => row.text.slice(mark.from - from, mark.to - from));
  return [words, ...keptMarks].join(' ');
}
