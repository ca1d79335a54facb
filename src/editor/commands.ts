import { acceptCompletion, completionStatus, startCompletion } from '@codemirror/autocomplete';
import {
  addCursorAbove,
  addCursorBelow,
  redo,
  redoDepth,
  redoSelection,
  selectLine,
  undo,
  undoDepth,
  undoSelection,
} from '@codemirror/commands';
import type { EditorState, Extension, StateCommand } from '@codemirror/state';
import { statuses } from './checklist.ts';
import { askDay, askPerson, assignToMe, clearDay, me, unassign } from './commands/assign.ts';
import { type EditorCommand, editorCommands, offeredCommands } from './commands/command.ts';
import { continueList, removeMark } from './commands/continue.ts';
import { folding, foldSection, foldSections, unfoldSection, unfoldSections } from './commands/folding.ts';
import * as format from './commands/format.ts';
import { formerMarks } from './commands/former.ts';
import { askGate, clearGates, hasGates, inSection, isForCustomers, toggleCustomers } from './commands/gates.ts';
import { keyText } from './commands/keys.ts';
import * as kind from './commands/kind.ts';
import { menuProvider } from './commands/menu.ts';
import * as place from './commands/move.ts';
import { multiple, oneCursor } from './commands/multiple.ts';
import { selectNextOccurrence, selectOccurrences } from './commands/search/occurrences.ts';
import {
  closeSearch,
  finding,
  findNext,
  findPrevious,
  isSearching,
  openReplace,
  openSearch,
  selectMatches,
} from './commands/search.ts';
import {
  assignableStatuses,
  giveStatus,
  inItem,
  isDone,
  isMandatory,
  nextStatus,
  toggleDone,
  toggleMandatory,
} from './commands/status.ts';

const inPanel = 'editor search-panel';

/** An edit that starts a completion behind itself. */
const completing =
  (command: StateCommand): EditorCommand['run'] =>
  view => {
    if (!command(view)) return false;
    startCompletion(view);
    return true;
  };

/** Tab takes what an open list has selected; a list that has just opened keeps the key, too. */
const accepted: EditorCommand['run'] = view =>
  completionStatus(view.state) === 'active' && (acceptCompletion(view) || true);

const severalCursors = (state: EditorState) => state.selection.ranges.length > 1;

const emphases = (
  [
    ['bold', 'Bold', 'Mod-b', format.bold],
    ['italic', 'Italic', 'Mod-i', format.italic],
    ['strike', 'Strikethrough', 'Mod-Shift-x', format.strike],
    ['code', 'Code', 'Mod-e', format.code],
    ['link', 'Link', 'Mod-k', format.link],
  ] as const
).map(
  ([id, title, key, run]): EditorCommand => ({
    id,
    title,
    keys: [key],
    edits: true,
    pressed: format.isInside(id),
    run,
  }),
);

/**
 * The commands of every editor, in the order of the palette. A command that needs the application is offered once the
 * application is loaded. A key that needs AltGr on common layouts, as brackets do, comes after a key that does not. No
 * key is Ctrl with Alt and a bracket: on Windows, Ctrl and Alt are AltGr, so the key would type a bracket.
 */
const always: readonly EditorCommand[] = [
  {
    id: 'toggleDone',
    title: 'Mark as done or not done',
    keys: ['Mod-Enter'],
    edits: true,
    enabled: inItem,
    pressed: isDone,
    run: toggleDone,
  },
  { id: 'nextStatus', title: 'Next status', keys: ['Mod-Shift-Enter'], edits: true, run: nextStatus },
  {
    id: 'setStatus',
    title: 'Set status…',
    keys: ['Mod-Shift-s'],
    edits: true,
    enabled: state => state.facet(menuProvider) !== undefined && inItem(state),
    run: view => {
      const choices = assignableStatuses(view.state).map(status => ({
        id: status.slug,
        label: status.name,
        run: giveStatus(status),
      }));
      view.state.facet(menuProvider)?.({ label: 'Set status', choices }, view);
      return true;
    },
  },
  {
    id: 'mandatory',
    title: 'Mandatory',
    keys: ['Mod-Shift-m'],
    edits: true,
    enabled: inItem,
    pressed: isMandatory,
    run: toggleMandatory,
  },
  {
    id: 'assign',
    title: 'Assign…',
    keys: ['Mod-Shift-a'],
    edits: true,
    enabled: inItem,
    run: completing(askPerson),
  },
  {
    id: 'assignToMe',
    title: 'Assign to me',
    edits: true,
    enabled: state => state.facet(me) !== undefined,
    run: assignToMe,
  },
  { id: 'unassign', title: 'Unassign', edits: true, run: unassign },
  {
    id: 'dueDate',
    title: 'Due date…',
    keys: ['Mod-Shift-d'],
    edits: true,
    enabled: inItem,
    run: completing(askDay),
  },
  { id: 'clearDueDate', title: 'Clear due date', edits: true, run: clearDay },
  { id: 'gate', title: 'Gate before a status…', edits: true, enabled: inSection, run: completing(askGate) },
  { id: 'clearGates', title: 'Remove gates', edits: true, enabled: hasGates, run: clearGates },
  {
    id: 'customers',
    title: 'Show to customers',
    edits: true,
    enabled: inSection,
    pressed: isForCustomers,
    run: toggleCustomers,
  },
  { id: 'moveUp', title: 'Move item or section up', keys: ['Alt-ArrowUp'], edits: true, run: place.moveUp },
  {
    id: 'moveDown',
    title: 'Move item or section down',
    keys: ['Alt-ArrowDown'],
    edits: true,
    run: place.moveDown,
  },
  {
    id: 'duplicate',
    title: 'Duplicate item',
    keys: ['Shift-Alt-ArrowDown'],
    edits: true,
    run: place.duplicateBelow,
  },
  {
    id: 'duplicateAbove',
    title: 'Duplicate item and stay',
    keys: ['Shift-Alt-ArrowUp'],
    edits: true,
    run: place.duplicateAbove,
  },
  { id: 'deleteRow', title: 'Delete item', keys: ['Mod-Shift-k'], edits: true, run: place.deleteRows },
  {
    id: 'indent',
    title: 'Indent to detail, or lower header level',
    keys: ['Tab', 'Mod-]'],
    edits: true,
    run: view => accepted(view) || kind.indent(view),
  },
  {
    id: 'outdent',
    title: 'Outdent to item, or raise header level',
    keys: ['Shift-Tab', 'Mod-['],
    edits: true,
    run: kind.outdent,
  },
  {
    id: 'header',
    title: 'Header',
    keys: ['Mod-Shift-h'],
    edits: true,
    pressed: state => kind.kindAt(state) === 'header',
    run: kind.toggleHeader,
  },
  {
    id: 'detail',
    title: 'Detail',
    keys: ['Mod-Shift-9'],
    edits: true,
    pressed: state => kind.kindAt(state) === 'detail',
    run: kind.toggleDetail,
  },
  { id: 'toItem', title: 'Turn into item', edits: true, run: kind.toItem },
  { id: 'sortDone', title: 'Move done items to the end', edits: true, run: place.sortDone },
  { id: 'clearDone', title: 'Delete done items', edits: true, run: place.clearDone },
  ...emphases,
  { id: 'continueList', title: 'New item', keys: ['Enter'], edits: true, run: continueList },
  { id: 'removeMark', title: 'Remove mark', keys: ['Backspace'], edits: true, run: removeMark },
  {
    id: 'undo',
    title: 'Undo',
    keys: ['Mod-z'],
    edits: true,
    enabled: state => undoDepth(state) > 0,
    run: undo,
  },
  {
    id: 'redo',
    title: 'Redo',
    keys: [{ key: 'Mod-y', mac: 'Mod-Shift-z' }, 'Mod-Shift-z'],
    edits: true,
    enabled: state => redoDepth(state) > 0,
    run: redo,
  },
  { id: 'undoSelection', title: 'Undo change or selection', keys: ['Mod-u'], edits: true, run: undoSelection },
  {
    id: 'redoSelection',
    title: 'Redo change or selection',
    keys: [{ key: 'Alt-u', mac: 'Mod-Shift-u' }],
    edits: true,
    run: redoSelection,
  },
  { id: 'find', title: 'Find', keys: [{ key: 'Mod-f', scope: inPanel }], edits: false, run: openSearch },
  {
    id: 'replace',
    title: 'Find and replace',
    keys: [{ key: 'Mod-h', mac: 'Mod-Alt-f', scope: inPanel }],
    edits: true,
    run: openReplace,
  },
  {
    id: 'findNext',
    title: 'Find next',
    keys: [
      { key: 'F3', scope: inPanel },
      { key: 'Mod-g', scope: inPanel },
    ],
    edits: false,
    run: findNext,
  },
  {
    id: 'findPrevious',
    title: 'Find previous',
    keys: [
      { key: 'Shift-F3', scope: inPanel },
      { key: 'Mod-Shift-g', scope: inPanel },
    ],
    edits: false,
    run: findPrevious,
  },
  {
    id: 'selectMatches',
    title: 'Select all matches',
    edits: false,
    enabled: isSearching,
    run: selectMatches,
  },
  {
    id: 'oneCursor',
    title: 'One cursor',
    keys: ['Escape'],
    edits: false,
    enabled: severalCursors,
    run: oneCursor,
  },
  {
    id: 'closeFind',
    title: 'Close find and replace',
    keys: [{ key: 'Escape', scope: inPanel }],
    edits: false,
    enabled: isSearching,
    run: closeSearch,
  },
  {
    id: 'selectNext',
    title: 'Select next occurrence',
    keys: ['Mod-d'],
    edits: false,
    run: selectNextOccurrence,
  },
  {
    id: 'selectOccurrences',
    title: 'Select all occurrences',
    keys: ['Mod-Shift-l'],
    edits: false,
    run: selectOccurrences,
  },
  {
    id: 'cursorAbove',
    title: 'Add cursor above',
    keys: ['Mod-Alt-ArrowUp'],
    edits: false,
    run: addCursorAbove,
  },
  {
    id: 'cursorBelow',
    title: 'Add cursor below',
    keys: ['Mod-Alt-ArrowDown'],
    edits: false,
    run: addCursorBelow,
  },
  { id: 'selectLine', title: 'Select line', keys: ['Mod-l'], edits: false, run: selectLine },
  {
    id: 'fold',
    title: 'Fold section',
    keys: [
      { key: 'Alt-ArrowLeft', mac: 'Ctrl-Cmd-ArrowLeft' },
      { key: 'Ctrl-Shift-[', mac: 'Cmd-Alt-[' },
    ],
    edits: false,
    run: foldSection,
  },
  {
    id: 'unfold',
    title: 'Unfold section',
    keys: [
      { key: 'Alt-ArrowRight', mac: 'Ctrl-Cmd-ArrowRight' },
      { key: 'Ctrl-Shift-]', mac: 'Cmd-Alt-]' },
    ],
    edits: false,
    run: unfoldSection,
  },
  {
    id: 'foldAll',
    title: 'Fold all sections',
    keys: [{ key: 'Shift-Alt-ArrowLeft', mac: 'Shift-Ctrl-Cmd-ArrowLeft' }],
    edits: false,
    run: foldSections,
  },
  {
    id: 'unfoldAll',
    title: 'Unfold all sections',
    keys: [{ key: 'Shift-Alt-ArrowRight', mac: 'Shift-Ctrl-Cmd-ArrowRight' }],
    edits: false,
    run: unfoldSections,
  },
  {
    id: 'commands',
    title: 'Commands and keys',
    keys: ['F1', 'Mod-Shift-p'],
    edits: false,
    enabled: state => state.facet(menuProvider) !== undefined,
    run: view => {
      const choices = offeredCommands(view.state).map(({ id, title, keys, run }) => ({
        id,
        label: title,
        ...(keys?.[0] && { key: keyText(keys[0]) }),
        run,
      }));
      view.state.facet(menuProvider)?.({ label: 'Commands', choices }, view);
      return true;
    },
  },
];

/** A command for each status of the registry. */
const ofStatuses = editorCommands.compute([statuses], state =>
  assignableStatuses(state).map(status => ({
    id: `setStatus ${status.slug}`,
    title: `Set status to ${status.name}`,
    edits: true,
    run: giveStatus(status),
  })),
);

/**
 * The commands with their keys, and the extensions that they need: folds, several cursors, the panel of find and
 * replace.
 */
export const commands: Extension = [editorCommands.of(always), ofStatuses, folding, multiple, finding, formerMarks];
