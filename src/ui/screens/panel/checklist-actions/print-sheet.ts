import type { HostBridge } from '../../../../bridge/bridge.ts';
import type { ChecklistView } from '../../../../client/checklist.ts';
import { printWindow } from '../../../../client/live/printing.ts';
import type { IssueRef } from '../../../../client/reading.ts';
import { getIssue } from '../../../../client/tracker/issues.ts';
import { getPeople } from '../../../../client/tracker/people.ts';
import { dayWords } from '../../../../domain/days.ts';
import { chips } from '../../../../domain/messages.ts';
import { personName } from '../../../../domain/person.ts';
import { loadEmoji } from '../../../../text/emoji.ts';
import { mentionsIn } from '../../../../text/export/person.ts';
import type { Segment } from '../../../../text/inline.ts';
import { progressOf } from '../../../../text/progress.ts';
import type { CheckboxRow, Checklist, Row } from '../../../../text/types.ts';
import { closeLayers } from '../../../kit/use-layer.ts';
import { lineOf, type Tail } from '../../../model/rows/row-segments.ts';
import { isoDay } from '../../../model/today.ts';
import './print-sheet.css';

/** Names, emoji and titles that a print needs besides the text. */
interface Known {
  nameOf(accountId: string): string;
  glyphOf(code: string): string | undefined;
  /** An issue's title; empty if it could not be read. */
  titleOf(key: string): string;
  today: string;
}

type Content = string | Node | undefined;

function element(name: string, className: string, ...content: readonly Content[]): HTMLElement {
  const newElement = document.createElement(name);
  if (className) newElement.className = className;
  if (name === 'li' || name === 'h1') newElement.dir = 'auto';
  newElement.append(...content.filter(part => part !== undefined));
  return newElement;
}

const tags = { bold: 'strong', italic: 'em', strike: 's' } as const;

function inline(segments: readonly Segment[], known: Known): Node[] {
  return segments.map(segment => {
    switch (segment.type) {
      case 'bold':
      case 'italic':
      case 'strike':
        return element(tags[segment.type], '', ...inline(segment.children, known));
      case 'code':
        return element('code', '', segment.text);
      case 'link':
        // Paper has no links: the address follows.
        return element('span', '', ...inline(segment.children, known), ` (${segment.href})`);
      case 'mention':
        return new Text(`@${known.nameOf(segment.value)}`);
      case 'issueKey':
        return new Text(`${segment.text} ${known.titleOf(segment.value)}`.trim());
      case 'date':
        return new Text(dayWords(segment.value, known.today));
      case 'emoji':
        return new Text(known.glyphOf(segment.value) ?? segment.text);
      default:
        return new Text(markWords(segment));
    }
  });
}

/** A header's mark in words; other segments as their text. */
function markWords(segment: Segment): string {
  if (segment.type === 'gate') return chips.gate(segment.value);
  return segment.type === 'customers' ? chips.customers : segment.text;
}

/** An item's status, and the person and the date that are not among its words. */
function factsOf({ status, mandatory }: CheckboxRow, { person, date }: Tail, known: Known): HTMLElement {
  const facts = [
    status.name,
    mandatory ? 'Mandatory' : undefined,
    person === undefined ? undefined : known.nameOf(person),
    date === undefined ? undefined : `Due ${dayWords(date.value, known.today)}`,
  ];
  return element('p', 'print-facts', facts.filter(fact => fact !== undefined).join(' · '));
}

function rowOf(checklist: Checklist, index: number, row: Row, known: Known): HTMLElement {
  const line = lineOf(checklist, index, row);
  const details = line.details.map(detail => element('p', 'print-detail', ...inline(detail, known)));
  if (row.kind === 'header') {
    const header = element('p', '', ...inline(line.words, known));
    header.role = 'heading';
    header.ariaLevel = String(row.level + 1);
    const marks = line.tail.marks.map(markWords).join(' · ');
    return element('li', 'print-header', header, marks ? element('p', 'print-facts', marks) : undefined, ...details);
  }
  const box = element(
    'span',
    row.status.checked ? 'print-box print-checked' : 'print-box',
    row.status.checked ? '✓' : '',
  );
  const words = element('p', 'print-words', ...inline(line.words, known));
  return element('li', 'print-item', box, element('div', '', words, factsOf(row, line.tail, known), ...details));
}

interface Printed {
  issue: IssueRef;
  /** The issue's title, if it could be read. */
  title: string;
  name: string;
  checklist: Checklist;
}

/** The checklist as a page of its own, without the panel's controls. */
export function sheetOf({ issue, title, name, checklist }: Printed, known: Known): HTMLElement {
  const { rows } = checklist;
  const { checked, total } = progressOf(rows);
  return element(
    'article',
    'print-sheet',
    element('h1', '', [issue.issueKey, title].filter(part => part !== '').join(' ')),
    element('p', 'print-facts', `${name} · ${checked} of ${total} done · ${dayWords(known.today, known.today)}`),
    element('ul', '', ...rows.map((row, index) => rowOf(checklist, index, row, known))),
  );
}

/** The maximum number of issues whose titles are read for a print. */
const MAX_ISSUES = 50;

/** The titles of issues by id or key, without titles that could not be read. */
async function titlesOf(bridge: HostBridge, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const title = async (key: string): Promise<[string, string][]> => {
    const summary = (await getIssue(bridge, key, ['summary']).catch(() => undefined))?.fields?.summary;
    return typeof summary === 'string' ? [[key, summary]] : [];
  };
  return new Map((await Promise.all(keys.slice(0, MAX_ISSUES).map(title))).flat());
}

/** Prints a checklist with the issue's title and names of people; what cannot be loaded is left out. */
export async function printChecklist(
  bridge: HostBridge,
  issue: IssueRef,
  { name, model: checklist }: Pick<ChecklistView, 'name' | 'model'>,
): Promise<void> {
  const accounts = [...new Set(mentionsIn(checklist.text))];
  const keys = new Set(checklist.rows.flatMap(row => (row.kind === 'checkbox' ? row.issueKeys : [])));
  const [titles, people, emoji] = await Promise.all([
    titlesOf(bridge, [issue.issueId, ...keys]),
    accounts.length === 0 ? [] : getPeople(bridge, accounts).catch(() => []),
    loadEmoji().catch(() => undefined),
  ]);
  const names = new Map(people);
  const printNames: Known = {
    nameOf: id => personName(names.get(id)),
    glyphOf: code => emoji?.glyph(code),
    titleOf: key => titles.get(key) ?? '',
    today: isoDay(new Date()),
  };
  const title = titles.get(issue.issueId) ?? '';
  const sheet = sheetOf({ issue, title, name, checklist }, printNames);
  // First, so that the sheet hides what follows it; not every browser has `:has()`.
  document.body.prepend(sheet);
  window.addEventListener('afterprint', () => sheet.remove(), { once: true });
  closeLayers();
  await printWindow();
}
