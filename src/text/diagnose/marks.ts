import { Header } from '../../../grammar/parser.terms.ts';
import { removeWords } from '../edits/remove-words.ts';
import { markKey, markText } from '../header/marks.ts';
import { rangeOf, rowAt } from '../rows.ts';
import { normalName } from '../status-registry.ts';
import type { Checklist, HeaderRow } from '../types.ts';
import type { Fix, Report } from './finding.ts';
import { nearestOf } from './nearest.ts';

/** A gate without a name: it is text. */
const nameless = /(?<=^|[ \t])!before:(?:\[[ \t]*\]?)?(?=[ \t]|$)/gi;

/**
 * Finds mistakes in the marks of headers: gates without a name, marks that stand twice, and, where the names of the
 * project's statuses are known, gates before a status that it does not have.
 */
export function headerMarks(
  checklist: Checklist,
  names: readonly string[] | undefined,
  report: Report,
): (index: number) => void {
  const known = names && new Set(names.map(normalName));
  let nearest: ((name: string) => { name: string } | undefined) | undefined;

  return index => {
    const row = rowAt(checklist, index);
    if (row.kind !== 'header' || !row.text.includes('!')) return;
    const { from } = rangeOf(checklist, index);
    const start = from + row.content.from;
    const removal = (at: { from: number; to: number }): Fix => {
      const changes = removeWords(row.text, [at]);
      const moved = changes.map(change => ({
        ...change,
        from: start + change.from,
        to: start + (change.to ?? change.from),
      }));
      return { kind: 'change', title: 'Remove the mark', changes: moved };
    };
    for (const { index: at, 0: written } of row.text.matchAll(nameless)) {
      if (checklist.tree.resolveInner(start + at, 1).type.id !== Header) continue;
      report({
        from: start + at,
        to: start + at + written.length,
        code: 'EMPTY_GATE',
        message: 'This gate has no status. Type one after !before:',
        fixes: [removal({ from: at, to: at + written.length })],
      });
    }
    const seen = new Set<string>();
    for (const mark of row.marks) {
      const place = { from: from + mark.from, to: from + mark.to };
      const isTwice = seen.has(markKey(mark));
      seen.add(markKey(mark));
      if (isTwice) {
        const inText = { from: mark.from - row.content.from, to: mark.to - row.content.from };
        const message = 'This mark is already in this header.';
        report({ ...place, code: 'DUPLICATE_MARK', message, fixes: [removal(inText)] });
      } else if (mark.gate !== undefined && known && !known.has(normalName(mark.gate))) {
        nearest ??= nearestOf((names ?? []).map(name => ({ name })));
        report({ ...place, code: 'UNKNOWN_GATE', ...unknownGate(mark.gate, nearest(mark.gate)?.name, row, place) });
      }
    }
  };
}

function unknownGate(
  name: string,
  near: string | undefined,
  row: HeaderRow,
  place: { from: number; to: number },
): { message: string; fixes: Fix[] } {
  const message = `This project has no status called ${name}.`;
  const taken = row.gates.some(gate => near !== undefined && normalName(gate) === normalName(near));
  if (near === undefined || taken) return { message, fixes: [] };
  const changes = [{ ...place, insert: markText({ gate: near }) }];
  return { message, fixes: [{ kind: 'change', title: `Change to ${near}`, changes }] };
}
