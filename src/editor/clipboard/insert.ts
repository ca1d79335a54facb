import { isolateHistory, undo } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { paste as messages } from '../../domain/messages.ts';
import { type Clip, isSmall, type Reading, readClip, readingNotation, refusalOf } from '../../text/convert/clip.ts';
import { inSlices } from '../../text/convert/in-slices.ts';
import { lossLines } from '../../text/convert/report.ts';
import { type Notation, titleOf } from '../../text/convert.ts';
import { progressOf } from '../../text/progress.ts';
import { readChecklist } from '../../text/read.ts';
import { type Insertion, inDetail, insertLines, insertWords, isAmidWords, needsNoFitting } from './insertion.ts';
import { linkOver } from './link.ts';
import { type PasteMessage, setPasteMessage } from './message.ts';
import { assignPasted } from './people.ts';

/** How something comes into the text. */
export type Entrance = 'input.paste' | 'input.drop';

/** Whether the selection starts inside code, where text is inserted unconverted. */
function inCode(state: EditorState): boolean {
  const { from } = state.selection.main;
  for (let node = syntaxTree(state).resolveInner(from, -1); node.parent; node = node.parent) {
    if (node.name === 'Code') return node.from < from && from < node.to;
  }
  return false;
}

/** How a clip is inserted at the selection; `undefined` if the editor's default applies. */
function placementOf(state: EditorState, reading: Exclude<Reading, { kind: 'plain' | 'refused' }>) {
  if (reading.kind === 'words') return insertWords(state, reading.words);
  const { text, prose, converted } = reading;
  if (!converted && needsNoFitting(state, text)) return undefined;
  if (prose && inDetail(state)) return insertWords(state, prose.join('\n> '));
  const { rows } = readChecklist(text);
  const [row] = rows;
  // A single line's mark has no place among words.
  if (rows.length === 1 && row?.details.length === 0 && isAmidWords(state)) return insertWords(state, row.text);
  return insertLines(state, text);
}

/** Something entering at its place. */
export const entering = ({ changes, cursor }: Insertion, userEvent: Entrance): TransactionSpec => ({
  changes,
  selection: EditorSelection.cursor(cursor),
  scrollIntoView: true,
  userEvent,
  // One undo step, separate from later input.
  annotations: isolateHistory.of('full'),
});

/** Shows or removes the message of a paste. */
export const showPasteMessage = (view: EditorView, notice: PasteMessage | undefined) =>
  view.dispatch({ effects: setPasteMessage.of(notice) });

/** Puts a text in place of the selection, each character as it is. */
export function insertPlain(view: EditorView, text: string, userEvent: Entrance): void {
  view.dispatch(view.state.replaceSelection(view.state.toText(text)), {
    scrollIntoView: true,
    userEvent,
    annotations: isolateHistory.of('full'),
  });
  view.focus();
}

/** Undoes the last paste and inserts its plain text. */
const plainly =
  (text: string, userEvent: Entrance) =>
  (view: EditorView): void => {
    undo(view);
    insertPlain(view, text, userEvent);
    showPasteMessage(view, undefined);
  };

/** Undoes the last paste and reads it in another notation. */
const readAgain =
  (clip: Clip, notation: Notation, userEvent: Entrance) =>
  (view: EditorView): void => {
    undo(view);
    showPasteMessage(view, undefined);
    void inSlices(readingNotation(clip.text, notation)).then(reading => {
      if (!view.state.readOnly) insertReading(view, clip, reading, userEvent);
      view.focus();
    });
  };

/** Inserts what a clip was read as in place of the selection. Returns `false` if the editor's default insertion applies. */
export function insertReading(view: EditorView, clip: Clip, reading: Reading, userEvent: Entrance): boolean {
  const { state } = view;
  if (reading.kind === 'refused') {
    showPasteMessage(view, { title: reading.why, lines: [] });
    return true;
  }
  if (reading.kind === 'plain') {
    if (reading.note !== undefined) showPasteMessage(view, { title: reading.note, lines: [] });
    return false;
  }
  const lines = lossLines(reading.lost);
  if (reading.kind === 'lines' && reading.text === '') {
    showPasteMessage(view, { title: messages.nothing, lines });
    return true;
  }
  const placement = placementOf(state, reading);
  if (!placement) return false;
  const readAs = reading.kind === 'lines' ? reading.readAs : undefined;
  const hasMessage = lines.length > 0 || (reading.kind === 'lines' && reading.converted);
  const items = reading.kind === 'lines' ? progressOf(readChecklist(reading.text).rows).total : 1;
  const notice: PasteMessage = {
    title: readAs ? messages.pastedAs(titleOf(readAs.notation)) : messages.pasted(items),
    lines,
    ...(clip.text !== '' && { plain: plainly(clip.text, userEvent) }),
    ...(readAs && {
      readAs: readAs.alternatives.map(other => ({ title: titleOf(other), run: readAgain(clip, other, userEvent) })),
    }),
  };
  view.dispatch(entering(placement, userEvent), {
    effects: setPasteMessage.of(hasMessage ? notice : undefined),
  });
  if (reading.kind === 'lines') {
    const [first] = placement.changes;
    assignPasted(view, { from: first?.from ?? 0, to: placement.cursor }, hasMessage ? notice : undefined);
  }
  return true;
}

/**
 * Inserts a clip in place of the selection. Returns `false` if the editor's default insertion applies, and `later` if the
 * clip is too large to be read within an event.
 */
export function insertClip(view: EditorView, clip: Clip, asText: boolean, userEvent: Entrance): boolean | 'later' {
  const { state } = view;
  if (state.readOnly || view.composing) return false;
  const link = asText ? undefined : linkOver(state, clip.text);
  if (link) {
    view.dispatch(entering(link, userEvent));
    return true;
  }
  if (asText || state.selection.ranges.length > 1 || inCode(state)) {
    const why = refusalOf(clip.text);
    if (why !== undefined) showPasteMessage(view, { title: why, lines: [] });
    return why !== undefined;
  }
  return isSmall(clip) ? insertReading(view, clip, readClip(clip), userEvent) : 'later';
}
