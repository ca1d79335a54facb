import {
  acceptCompletion,
  autocompletion,
  type CompletionSource,
  closeCompletion,
  completionStatus,
  currentCompletions,
  moveCompletionSelection,
  setSelectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';
import { type EditorCommand, editorCommands } from './commands/command.ts';
import { calendar, calendars, closeCalendar, isCalendarOpen, type MountCalendar } from './complete/calendar.ts';
import { dates } from './complete/dates.ts';
import { emoji } from './complete/emoji.ts';
import { gateNames, headerMarks } from './complete/header-marks.ts';
import { closeHint, hints } from './complete/hint.ts';
import { issues } from './complete/issues.ts';
import { lineMarks } from './complete/marks.ts';
import { optionParts } from './complete/option-parts.ts';
import { people, recentPeople } from './complete/people.ts';
import { cancelPicker, isPicking, leavePicker, pickers } from './complete/picker.ts';
import { statuses } from './complete/status-labels.ts';
import { completionTheme } from './complete/theme.ts';

export interface CompletionsConfig {
  /** The calendar that the list of dates ends with. */
  calendar?: MountCalendar | undefined;
}

/**
 * A source that is asked again if the text changes before it has answered. The package asks again after an answer without
 * options too, except if a key was typed in between.
 */
const askedAgain =
  (source: CompletionSource): CompletionSource =>
  context => {
    context.addEventListener('abort', () => undefined, { onDocChange: true });
    return source(context);
  };

/** A key that belongs to an input method while that composes. */
const unlessComposing =
  (command: Command): Command =>
  view =>
    !view.composing && command(view);

/** Closes the list. A pending list is cancelled without handling the key, since it is not visible yet. */
const closeList: Command = view => {
  const shown = currentCompletions(view.state).length > 0;
  return closeCompletion(view) && shown;
};

/** The open popup: a picker in place of a text, the list, the line in its place, or the calendar. */
const close: Command = view => [cancelPicker, closeList, closeHint, closeCalendar].filter(run => run(view)).length > 0;

/** Closes the lists that have the keyboard in the text. An open calendar has the keyboard itself, so it stays. */
const closeLists: Command = view => [closeList, closeHint].filter(run => run(view)).length > 0;

/** Chooses. In a picker, whose list may still be loading, the key never breaks the line. */
const accept: Command = view =>
  acceptCompletion(view) || (isPicking(view.state) && completionStatus(view.state) !== null);

const keys = [
  { key: 'Escape', run: close, stopPropagation: true },
  { key: 'ArrowDown', run: moveCompletionSelection(true) },
  { key: 'ArrowUp', run: moveCompletionSelection(false) },
  { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
  { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
  { key: 'Enter', run: accept },
].map(binding => ({ ...binding, run: unlessComposing(binding.run) }));

/** A colon that may end a line of prose, as in French. */
const bareColon = /(?:^|\s):$/;

/** Selects nothing in a list that a bare colon opened: Enter breaks the line then. */
const unselected = EditorView.updateListener.of(({ state, startState, view }) => {
  if (completionStatus(state) !== 'active' || currentCompletions(startState).length > 0) return;
  const { head } = state.selection.main;
  const before = state.sliceDoc(state.doc.lineAt(head).from, head);
  if (bareColon.test(before) && !isPicking(state)) view.dispatch({ effects: setSelectedCompletion(-1) });
});

const suggest: EditorCommand = {
  id: 'suggest',
  title: 'Show suggestions',
  keys: [{ key: 'Ctrl-Space' }, { mac: 'Alt-`' }],
  edits: true,
  run: startCompletion,
};

/**
 * Completion of people (`@`), emoji (`:`), days (`//`), issue keys, statuses (`[`), a
 * header's marks (`!`), the statuses that its gates name, and marks. It needs the checklist
 * language and asks the editor's `provider`; a small editor of one line may use it as well. Tab is not bound: the
 * keyboard leaves the text by it.
 */
export const completions = (config: CompletionsConfig = {}): Extension => [
  autocompletion({
    override: [recentPeople, people, emoji, dates, issues, statuses, headerMarks, gateNames, lineMarks].map(askedAgain),
    defaultKeymap: false,
    icons: false,
    addToOptions: optionParts,
    maxRenderedOptions: 50,
  }),
  unselected,
  hints,
  pickers,
  calendars,
  config.calendar ? calendar.of(config.calendar) : [],
  Prec.highest(keymap.of(keys)),
  editorCommands.of([suggest]),
  EditorState.phrases.of({ Completions: 'Suggestions' }),
  // No list opens in an unfocused window, and blurring closes an open list.
  EditorView.domEventHandlers({
    blur: (_event, view) => {
      setTimeout(() => {
        if (view.hasFocus) return;
        closeLists(view);
        if (!isCalendarOpen(view.state)) leavePicker(view);
      });
      return false;
    },
  }),
  completionTheme,
];

export type { CalendarRequest, MountCalendar } from './complete/calendar.ts';
