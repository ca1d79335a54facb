import { isolateHistory, undo } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { paste as messages } from '../../domain/messages.ts';
import { readChecklist } from '../../text/read.ts';
import { amidWords, fitsAsItIs, inDetail, type Placement, placeLines, placeWords } from './insertion.ts';
import { linkOver } from './link.ts';
import { lossLines, type PasteNotice, setPasteNotice } from './message.ts';
import { type Clip, type Reading, readClip } from './read.ts';

/** How something comes into the text. */
export type Entrance = 'input.paste' | 'input.drop';

/** Whether the selection begins inside code, which nothing but its own characters belongs into. */
function inCode(state: EditorState): boolean {
  const { from } = state.selection.main;
  for (let node = syntaxTree(state).resolveInner(from, -1); node.parent; node = node.parent) {
    if (node.name === 'Code') return node.from < from && from < node.to;
  }
  return false;
}

/** How what was read goes into the text at the selection; nothing where the editor does it as ever. */
function placementOf(state: EditorState, reading: Exclude<Reading, { kind: 'plain' | 'refused' }>) {
  if (reading.kind === 'words') return placeWords(state, reading.words);
  const { text, prose, converted } = reading;
  if (!converted && fitsAsItIs(state, text)) return undefined;
  if (prose && inDetail(state)) return placeWords(state, prose.join('\n> '));
  const { rows } = readChecklist(text);
  const [row] = rows;
  // A single line's mark has no place among words.
  if (rows.length === 1 && row?.details.length === 0 && amidWords(state)) return placeWords(state, row.text);
  return placeLines(state, text);
}

/** Something entering at its place. */
export const entering = ({ changes, cursor }: Placement, userEvent: Entrance): TransactionSpec => ({
  changes,
  selection: EditorSelection.cursor(cursor),
  scrollIntoView: true,
  userEvent,
  // One step to undo, whatever is typed next.
  annotations: isolateHistory.of('full'),
});

/** Says something of what was pasted, or nothing any more. */
export const say = (view: EditorView, notice: PasteNotice | undefined) =>
  view.dispatch({ effects: setPasteNotice.of(notice) });

/** Puts a text in place of the selection, each character as it is. */
export function insertPlain(view: EditorView, text: string, userEvent: Entrance): void {
  view.dispatch(view.state.replaceSelection(view.state.toText(text)), {
    scrollIntoView: true,
    userEvent,
    annotations: isolateHistory.of('full'),
  });
  view.focus();
}

/** Takes the last paste back and puts its plain text there. */
const plainly =
  (text: string, userEvent: Entrance) =>
  (view: EditorView): void => {
    undo(view);
    insertPlain(view, text, userEvent);
    say(view, undefined);
  };

/**
 * Puts a clip in place of the selection. Answers whether it is done; if not, the editor inserts the plain text as ever.
 */
export function insertClip(view: EditorView, clip: Clip, asText: boolean, userEvent: Entrance): boolean {
  const { state } = view;
  if (state.readOnly || view.composing) return false;
  const link = asText ? undefined : linkOver(state, clip.text);
  if (link) {
    view.dispatch(entering(link, userEvent));
    return true;
  }
  const plain = asText || state.selection.ranges.length > 1 || inCode(state);
  const reading = readClip(plain ? { html: '', text: clip.text } : clip);
  if (reading.kind === 'refused') {
    say(view, { title: reading.why, lines: [] });
    return true;
  }
  if (plain || reading.kind === 'plain') {
    if (reading.kind === 'plain' && reading.note !== undefined) say(view, { title: reading.note, lines: [] });
    return false;
  }
  const lines = lossLines(reading.lost);
  if (reading.kind === 'lines' && reading.text === '') {
    say(view, { title: messages.nothing, lines });
    return true;
  }
  const placement = placementOf(state, reading);
  if (!placement) return false;
  const tells = lines.length > 0 || (reading.kind === 'lines' && reading.converted);
  const rows = reading.kind === 'lines' ? readChecklist(reading.text).rows.length : 1;
  const notice: PasteNotice = {
    title: messages.pasted(rows),
    lines,
    ...(clip.text !== '' && { plain: plainly(clip.text, userEvent) }),
  };
  view.dispatch(entering(placement, userEvent), {
    effects: setPasteNotice.of(tells ? notice : undefined),
  });
  return true;
}
