import type { Diagnostic as Squiggle } from '@codemirror/lint';
import type { EditorState, Text } from '@codemirror/state';
import { type Diagnostic, type Fix, type FixOptions, fixesOf } from '../../text/diagnose.ts';
import type { Checklist } from '../../text/types.ts';
import { checklistOf, rowAt } from '../checklist.ts';

/** A fix that the editor applies itself; statuses are created elsewhere. */
export type EditorFix = Exclude<Fix, { kind: 'createStatus' }>;

/** A text that was checked. */
export interface CheckedText {
  doc: Text;
  checklist: Checklist;
  options: FixOptions;
}

/** A finding at its shown range, and the text in which it was found. */
export interface Problem extends Squiggle {
  found: Diagnostic;
  checked: CheckedText;
}

/**
 * Computes the fixes of a problem only when they are shown or applied: for all problems of a text it would take
 * seconds.
 */
export const offeredFixes = ({ found, checked: { checklist, options } }: Problem): EditorFix[] =>
  fixesOf(checklist, found, options).filter(fix => fix.kind !== 'createStatus');

/** The start of the empty item that contains the cursor; -1 if there is none. That item is about to be filled. */
export function filledItem(state: EditorState): number {
  const { head, empty } = state.selection.main;
  const placed = empty ? rowAt(checklistOf(state), state.doc.lineAt(head).from) : undefined;
  return placed?.row.kind === 'checkbox' && placed.row.text === '' ? placed.start : -1;
}

/** The cursor's position right behind a gate without a name; -1 elsewhere. That gate is about to get a name. */
export function namedGate({ doc, selection }: EditorState): number {
  const { head, empty } = selection.main;
  const { from, text } = doc.lineAt(head);
  return empty && /[ \t\xa0]!before:\[?$/i.test(text.slice(0, head - from)) ? head : -1;
}

/** A range of some width: an empty one, as at the end of a text with a last line break, goes to the line before. */
function drawnRange(doc: Text, from: number, to: number): { from: number; to: number } {
  if (from < to) return { from, to };
  for (let line = doc.lineAt(from); ; line = doc.line(line.number - 1)) {
    if (line.length > 0) return { from: line.from, to: line.to };
    if (line.number === 1) return { from, to };
  }
}

/** Findings that count in a state: an item or a gate that the cursor is about to fill is none. */
export function countedFindings(state: EditorState, findings: readonly Diagnostic[]): Diagnostic[] {
  const filled = filledItem(state);
  const named = namedGate(state);
  return findings.filter(({ code, from, to }) => {
    if (code === 'EMPTY_GATE') return named < from || named > to;
    return code !== 'EMPTY_ITEM' || state.doc.lineAt(from).from !== filled;
  });
}

/** The maximum number of warnings that are marked at a time: in a text with more of them each key would cost more. */
const MAX_MARKED_WARNINGS = 1000;

/** The findings that are marked in a text: every error, and the first warnings. */
export function problemsOf(checked: CheckedText, findings: readonly Diagnostic[]): Problem[] {
  let warnings = 0;
  return findings
    .filter(({ severity }) => severity === 'error' || ++warnings <= MAX_MARKED_WARNINGS)
    .map(found => ({
      ...drawnRange(checked.doc, found.from, found.to),
      severity: found.severity,
      message: found.message,
      found,
      checked,
    }));
}
