import type { EditorCommand } from '../../../editor/commands/command.ts';
import { keyTexts } from '../../../editor/commands/keys.ts';
import type { Command } from '../../commands/command.ts';
import { rowCommands } from '../row/row-commands.ts';

/** The commands of the screen around a list. A command is offered while its function is set. */
export interface ListControls {
  /** Focuses the search field. */
  search?: (() => void) | undefined;
  /** Shows or hides the keyboard shortcuts. */
  help?: (() => void) | undefined;
  /** Opens the palette. */
  palette?: (() => void) | undefined;
  undo?: (() => void) | undefined;
  redo?: (() => void) | undefined;
}

const control = (
  id: keyof ListControls,
  title: string,
  keys: readonly string[],
  rest: Partial<Command<ListControls>> = {},
): Command<ListControls> => ({
  ...{ id, title, keys, appliesTo: 'list' },
  isOffered: controls => controls[id] !== undefined,
  run: controls => controls[id]?.(),
  ...rest,
});

/** The commands of the screen around a list that have keys. */
export const listCommands = {
  search: control('search', 'Search a list of 15 items or more', ['/'], { label: () => 'Search items' }),
  help: control('help', 'Show or hide this help', ['?'], { label: () => 'Keyboard shortcuts', group: 'about' }),
  palette: control('palette', 'Search all commands', ['F1', 'Mod-Shift-P'], {
    label: () => 'Commands…',
    group: 'about',
  }),
  undo: control('undo', 'Undo', ['Mod-Z']),
  redo: control('redo', 'Redo', ['Mod-Shift-Z', 'Mod-Y']),
} satisfies Record<keyof ListControls, Command<ListControls>>;

/** A command as the help shows it. */
export interface KeyHelp {
  title: string;
  /** The alternatives, as users read them. */
  keys: readonly string[];
}

/** The commands that have keys. */
export const keyHelp = (commands: readonly Pick<EditorCommand, 'keys' | 'title'>[]): KeyHelp[] =>
  commands.flatMap(({ keys, title }) => (keys?.[0] ? [{ title, keys: keyTexts({ keys }) }] : []));

/** The list's keys for the help: the keys of the commands, and keys without a command. */
export const listKeys: readonly KeyHelp[] = [
  { keys: ['↑', '↓'], title: 'Go to the item above or below' },
  { keys: ['Home', 'End'], title: 'Go to the first or last item' },
  { keys: ['Shift+↑', 'Shift+↓'], title: 'Select items' },
  ...keyHelp([...rowCommands, { keys: ['Mod-C'], title: 'Copy the selected items' }]),
  { keys: ['Shift+F10'], title: 'Open the item’s menu' },
  ...keyHelp(Object.values(listCommands)),
  { keys: ['Shift+Enter'], title: 'While adding: another line' },
];
