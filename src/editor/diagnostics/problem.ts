import type { Diagnostic as Squiggle } from '@codemirror/lint';
import type { EditorState, Text } from '@codemirror/state';
import type { Diagnostic, Fix } from '../../text/diagnose.ts';
import { checklistOf, rowAt } from '../checklist.ts';

/** What an editor can do about a finding by itself; a status is made elsewhere. */
export type OfferedFix = Exclude<Fix, { kind: 'createStatus' }>;

/** A finding where it is shown, and the text in which it was found. */
export interface Problem extends Squiggle {
  found: Diagnostic;
  doc: Text;
}

export const offeredFixes = ({ fixes }: Diagnostic): OfferedFix[] => fixes.filter(fix => fix.kind !== 'createStatus');

/** Where the empty item begins in which the cursor stands; -1 when it stands in none. It is about to be filled. */
export function filledItem(state: EditorState): number {
  const { head, empty } = state.selection.main;
  const placed = empty ? rowAt(checklistOf(state), state.doc.lineAt(head).from) : undefined;
  return placed?.row.kind === 'checkbox' && placed.row.text === '' ? placed.start : -1;
}

/** A range of some width: an empty one, as at the end of a text with a last line break, goes to the line before. */
function drawnRange(doc: Text, from: number, to: number): { from: number; to: number } {
  if (from < to) return { from, to };
  for (let line = doc.lineAt(from); ; line = doc.line(line.number - 1)) {
    if (line.length > 0) return { from: line.from, to: line.to };
    if (line.number === 1) return { from, to };
  }
}

/** What is to be shown of the findings in a state's text. */
export function problemsOf(state: EditorState, findings: readonly Diagnostic[]): Problem[] {
  const { doc } = state;
  const filled = filledItem(state);
  return findings.flatMap(found => {
    if (found.code === 'EMPTY_ITEM' && doc.lineAt(found.from).from === filled) return [];
    return [{ ...drawnRange(doc, found.from, found.to), severity: found.severity, message: found.message, found, doc }];
  });
}
