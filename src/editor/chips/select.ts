import { EditorSelection, EditorState, type Extension, Prec, type SelectionRange } from '@codemirror/state';
import { type Command, EditorView, type MouseSelectionStyle } from '@codemirror/view';
import { BEFORE } from '../../../grammar/header-marks.ts';
import { chips as words } from '../../domain/messages.ts';
import type { TextRange } from '../../text/edits/format.ts';
import { type EditorCommand, editorCommands } from '../commands/command.ts';
import { openPicker } from '../complete/picker.ts';
import { type Chip, chipAt, chipsIn, type Meaning } from './chip.ts';

/** The chip that is the whole selection. */
const selectedChip = (state: EditorState): Chip | undefined =>
  state.selection.ranges.length === 1 ? chipAt(state, state.selection.main) : undefined;

/** The text that opens the list of what a chip could be instead, and the cursor in it. */
function triggerOf(meaning: Meaning): { text: string; cursor: number } {
  const text = {
    person: () => '@',
    day: () => '//',
    emoji: () => ':',
    // The closing bracket bounds what the choice replaces.
    status: () => '[]',
    gate: () => BEFORE,
    customers: () => '!',
    issue: () => (meaning.kind === 'issue' ? meaning.key.slice(0, meaning.key.lastIndexOf('-') + 1) : ''),
  }[meaning.kind]();
  return { text, cursor: meaning.kind === 'status' ? 1 : text.length };
}

/** Opens the list for the selected chip. */
const change: Command = view => {
  const chip = selectedChip(view.state);
  if (!chip || view.composing) return false;
  const { text, cursor } = triggerOf(chip.meaning);
  openPicker(view, chip, text, cursor);
  return true;
};

/** Leaves the selected chip: the cursor is behind it. */
const leave: Command = view => {
  const chip = selectedChip(view.state);
  if (!chip || view.composing) return false;
  view.dispatch({ selection: EditorSelection.cursor(chip.to), userEvent: 'select' });
  return true;
};

const isSelected = (state: EditorState) => selectedChip(state) !== undefined;

const commands: readonly EditorCommand[] = [
  {
    id: 'changeChip',
    title: 'Change selected chip',
    keys: [{ key: 'Enter' }],
    edits: true,
    enabled: isSelected,
    run: change,
  },
  {
    id: 'leaveChip',
    title: 'Leave selected chip',
    keys: [{ key: 'Escape' }],
    edits: false,
    enabled: isSelected,
    run: leave,
  },
];

/** The chip that an event happened on. */
function eventChip(view: EditorView, { target }: Event): TextRange | undefined {
  const dom = target instanceof Element ? target.closest<HTMLElement>('.cm-chip, .cm-chip-name') : null;
  if (!dom || !view.contentDOM.contains(dom)) return undefined;
  const from = view.posAtDOM(dom);
  return chipsIn(view.state, from, from).find(chip => chip.from === from);
}

/** A selection from a chip to a position, the chip included. */
function reach({ from, to }: TextRange, position: number): SelectionRange {
  return position < from ? EditorSelection.range(to, position) : EditorSelection.range(from, Math.max(to, position));
}

/** A press on a chip selects it, and a drag from there extends the selection. */
function chipSelection(view: EditorView, start: MouseEvent): MouseSelectionStyle | null {
  let chip = start.button === 0 && start.detail < 3 ? eventChip(view, start) : undefined;
  if (!chip) return null;
  let before = view.state.selection;
  return {
    get: (event, extend, multiple) => {
      const pressed = chip;
      if (!pressed) return before;
      const moved = eventChip(view, event)?.from !== pressed.from;
      const to = moved ? view.posAtCoords({ x: event.clientX, y: event.clientY }, false) : pressed.from;
      const range = reach(pressed, to);
      if (extend) {
        const { anchor } = before.main;
        return before.replaceRange(EditorSelection.range(anchor, anchor <= range.from ? range.to : range.from));
      }
      return multiple ? before.addRange(range) : EditorSelection.create([range]);
    },
    update: ({ docChanged, changes }) => {
      if (!docChanged || !chip) return;
      before = before.map(changes);
      const [from, to] = [changes.mapPos(chip.from, 1), changes.mapPos(chip.to, -1)];
      chip = from < to ? { from, to } : undefined;
    },
  };
}

/** Selects a chip that was tapped: CodeMirror leaves touches to the browser, which has no place for a cursor in it. */
function tapped(view: EditorView, event: MouseEvent): boolean {
  const chip = 'pointerType' in event && event.pointerType === 'touch' ? eventChip(view, event) : undefined;
  if (!chip) return false;
  const { main } = view.state.selection;
  // The second tap is what Enter is on a keyboard.
  if (main.from === chip.from && main.to === chip.to) return change(view);
  view.focus();
  view.dispatch({ selection: EditorSelection.range(chip.from, chip.to), userEvent: 'select.pointer' });
  return true;
}

/** Tells screen readers what the selected chip can do. */
const announced = EditorState.transactionExtender.of(({ selection, docChanged, startState }) => {
  if (!selection || docChanged || startState.readOnly || selection.ranges.length > 1) return null;
  const chip = chipAt(startState, selection.main);
  return chip ? { effects: EditorView.announce.of(words.selected) } : null;
});

/** Selecting chips by mouse, touch and keys, and changing the selected one by a list. */
export const chipSelecting: Extension = [
  // Before what the same keys do in text.
  Prec.highest(editorCommands.of(commands)),
  EditorView.mouseSelectionStyle.of(chipSelection),
  EditorView.domEventHandlers({
    click: (event, view) => tapped(view, event),
    dblclick: (event, view) => eventChip(view, event) !== undefined && !view.state.readOnly && change(view),
  }),
  announced,
];
