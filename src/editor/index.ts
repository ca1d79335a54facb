import { defaultKeymap, history } from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, placeholder } from '@codemirror/view';
import type { StatusRegistry } from '../text/statuses.ts';
import { access } from './access.ts';
import { type Act, onAct } from './actions.ts';
import { checklistField, statusesOf } from './checklist.ts';
import { clipboard } from './clipboard.ts';
import { onArrival } from './collaboration/remote-changes.ts';
import { together } from './collaboration.ts';
import { me } from './commands/assign.ts';
import { addedCommands, editorCommands } from './commands/command.ts';
import { chooser, type Menu } from './commands/menu.ts';
import { commands } from './commands.ts';
import { completions, type MountCalendar } from './complete.ts';
import { type DiagnosticsConfig, diagnostics } from './diagnostics.ts';
import { statusGutter } from './gutter.ts';
import { highlight } from './highlight.ts';
import { input } from './input.ts';
import { checklistLanguage } from './language.ts';
import { look } from './line-decorations.ts';
import { plain } from './plain.ts';
import { type Provider, provider } from './provider.ts';
import { theme } from './theme.ts';

/** Limits of the text and who hears of its problems belong to the editor's own settings. */
export interface EditorConfig extends DiagnosticsConfig {
  /** The text's name to those who hear it. */
  label: string;
  editable: boolean;
  /** Statuses that the text may name; the built-in ones unless given. */
  statuses?: StatusRegistry;
  /** People, issues and the day; without it the editor knows its text only. */
  provider?: Provider;
  /** The account id of whoever edits; without it nothing is assigned to them by a command. */
  me?: string;
  /** Shows the palette and other menus; without it there are none. */
  choose?(menu: Menu, view: EditorView): void;
  /** Every character of the text shows as it is, without chips. */
  plain?: boolean;
  /** A calendar to pick a day from, which the list of dates ends with. */
  calendar?: MountCalendar;
  /** Shown while there is no text. */
  placeholder: string;
  /** Mod-S. */
  save(): void;
  /** Told how many rows a change that was made elsewhere has touched. */
  arrived?(rows: number): void;
  /** Told of what is done by a command or a list and the application may count. */
  done?(act: Act): void;
}

/**
 * Everything that makes a CodeMirror view an editor of checklists. Tab is not bound, so that the keyboard leaves the
 * text as it entered. Settings change later through the `setX()` specs beside the extensions.
 */
export function checklistEditor(config: EditorConfig): Extension {
  const save = () => {
    config.save();
    return true;
  };
  return [
    commands,
    editorCommands.of([
      { id: 'save', title: 'Save', keys: [{ key: 'Mod-s', scope: 'editor page' }], edits: true, run: save },
    ]),
    addedCommands,
    config.me === undefined ? [] : me.of(config.me),
    config.choose ? chooser.of(config.choose) : [],
    keymap.of(defaultKeymap),
    history(),
    // The language before what reads its tree.
    checklistLanguage,
    statusesOf(config.statuses),
    config.provider ? provider.of(config.provider) : [],
    checklistField,
    completions({ calendar: config.calendar }),
    highlight,
    look,
    together,
    config.arrived ? onArrival.of(config.arrived) : [],
    config.done ? onAct.of(config.done) : [],
    plain(config.plain ?? false),
    statusGutter,
    diagnostics(config),
    clipboard,
    access(config.editable),
    input(config.label),
    placeholder(config.placeholder),
    drawSelection(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    theme,
  ];
}

export { setEditable } from './access.ts';
export { checklistOf, lastRowBefore, setStatuses } from './checklist.ts';
export { type Place, placeOf, positionOf } from './collaboration/anchors.ts';
export { setPeers } from './collaboration/collaborators.ts';
export { type Arrival, receive } from './collaboration/remote.ts';
export {
  type EditorCommand,
  editorCommands,
  runKey,
  setCommands,
} from './commands/command.ts';
export { hintOf, keyShortcut, keyTexts } from './commands/keys.ts';
export type { Choice, Menu } from './commands/menu.ts';
export { type CalendarRequest, completions, type MountCalendar } from './complete.ts';
export { nextProblem } from './diagnostics.ts';
export { setPlain } from './plain.ts';
export type { Provider } from './provider.ts';
export { tick } from './tick.ts';
