import { Header } from '../../../grammar/parser.terms.ts';
import { removeWords } from '../edits/remove-words.ts';
import { markKey, markText } from '../header/marks.ts';
import { lastRowBefore, rangeOf, rowAt } from '../rows.ts';
import { normalName } from '../status-registry.ts';
import type { Checklist } from '../types.ts';
import type { Fixes, Report } from './finding.ts';
import { nearestOf } from './nearest.ts';

/** A gate without a name: it is text. */
const nameless = /(?<=^|[ \t\xa0])!before:(?:\[[ \t\xa0]*\]?)?(?=[ \t\xa0]|$)/gi;

/**
 * Finds mistakes in the marks of headers: gates without a name, marks that stand twice, and, if the names of the
 * project's statuses are known, gates before a status that it does not have.
 */
export function headerMarks(
  checklist: Checklist,
  names: readonly string[] | undefined,
  report: Report,
): (index: number) => void {
  const statusNames = names && new Set(names.map(normalName));

  return index => {
    const row = rowAt(checklist, index);
    if (row.kind !== 'header' || !row.text.includes('!')) return;
    const { from } = rangeOf(checklist, index);
    const start = from + row.content.from;
    for (const { index: at, 0: written } of row.text.matchAll(nameless)) {
      if (checklist.tree.resolveInner(start + at, 1).type.id !== Header) continue;
      const message = 'This gate has no status. Type one after !before:';
      report({ from: start + at, to: start + at + written.length, code: 'EMPTY_GATE', message });
    }
    const markKeys = new Set<string>();
    for (const mark of row.marks) {
      const place = { from: from + mark.from, to: from + mark.to };
      const isTwice = markKeys.has(markKey(mark));
      markKeys.add(markKey(mark));
      if (isTwice) {
        report({ ...place, code: 'DUPLICATE_MARK', message: 'This mark is already in this header.' });
      } else if (mark.gate !== undefined && statusNames && !statusNames.has(normalName(mark.gate))) {
        report({ ...place, code: 'UNKNOWN_GATE', message: `This project has no status called ${mark.gate}.` });
      }
    }
  };
}

/** Removes a mark, or a gate without a name, with the blanks that it leaves. */
export const markFixes: Fixes = (checklist, { from, to }) => {
  const index = lastRowBefore(checklist, from);
  const row = rowAt(checklist, index);
  const start = rangeOf(checklist, index).from + row.content.from;
  const changes = removeWords(row.text, [{ from: from - start, to: to - start }]).map(change => ({
    ...change,
    from: start + change.from,
    to: start + (change.to ?? change.from),
  }));
  return [{ kind: 'change', title: 'Remove the mark', changes }];
};

/** The lookup of each list of names. */
const lookups = new WeakMap<readonly string[], (name: string) => { name: string } | undefined>();

function nearestName(names: readonly string[], name: string): string | undefined {
  let lookup = lookups.get(names);
  if (!lookup) {
    lookup = nearestOf(names.map(name => ({ name })));
    lookups.set(names, lookup);
  }
  return lookup(name)?.name;
}

/** Changes an unknown gate to the nearest of the given names that is not in the header already. */
export const unknownGateFixes: Fixes = (checklist, { from, to }, { gateNames = [] }) => {
  const index = lastRowBefore(checklist, from);
  const row = rowAt(checklist, index);
  const start = rangeOf(checklist, index).from;
  if (row.kind !== 'header') return [];
  const gate = row.marks.find(mark => start + mark.from === from)?.gate;
  const near = gate === undefined ? undefined : nearestName(gateNames, gate);
  if (near === undefined || row.gates.some(each => normalName(each) === normalName(near))) return [];
  return [{ kind: 'change', title: `Change to ${near}`, changes: [{ from, to, insert: markText({ gate: near }) }] }];
};
