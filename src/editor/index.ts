import { defaultKeymap } from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, placeholder } from '@codemirror/view';
import type { Identified } from '../text/identity.ts';
import type { StatusRegistry } from '../text/status-registry.ts';
import { type Action, onAction } from './actions.ts';
import { checklistField, statusesOf } from './checklist.ts';
import { plain } from './chips.ts';
import { clipboard } from './clipboard.ts';
import { type RowConflict, startConflicts } from './collaboration/conflicts.ts';
import { onRemoteChange, type RemoteChangeNote, remoteAuthors } from './collaboration/remote-changes.ts';
import { storedVersion } from './collaboration/stored-version.ts';
import { collaboration } from './collaboration.ts';
import { me } from './commands/assign.ts';
import { addedCommands, editorCommands } from './commands/command.ts';
import { leavable } from './commands/leave.ts';
import { type Menu, menuProvider } from './commands/menu.ts';
import { commands } from './commands.ts';
import { dayOffers } from './complete/day-offer.ts';
import { completions, type MountCalendar } from './complete.ts';
import { type DiagnosticsConfig, diagnostics } from './diagnostics.ts';
import { statusGutter } from './gutter.ts';
import { undoHistory } from './history.ts';
import { access, input } from './input.ts';
import { checklistLanguage, highlight } from './language.ts';
import { lineDecorations } from './line-decorations.ts';
import { type Provider, provider } from './provider.ts';
import { rowIds } from './row-ids.ts';
import { theme } from './theme.ts';
import { typedMarks } from './typed-marks.ts';

/** Limits of the text and the listener of its problems are among the editor's own settings. */
export interface EditorConfig extends DiagnosticsConfig {
  /** Accessible name. */
  label: string;
  editable: boolean;
  /** Statuses that the text may name; the built-in ones unless given. */
  statuses?: StatusRegistry;
  /** Users, issues and the current day; without it the editor knows its text only. */
  provider?: Provider;
  /** The account id of the user; without it there is no command to assign to oneself. */
  me?: string;
  /** Shows the palette and other menus; without it there are none. */
  choose?(menu: Menu, view: EditorView): void;
  /** Every character of the text shows as it is, without chips. */
  plain?: boolean;
  /** A calendar to pick a day from, which the list of dates ends with. */
  calendar?: MountCalendar;
  /** Whether a day in words is offered as the due date; without it none is. */
  offersDays?(): boolean;
  /** Shown while there is no text. */
  placeholder: string;
  /** The lasting ids of the text's rows, as far as known. */
  rowIds?: readonly string[];
  /** The stored texts that it was made of, the newest first, with the ids that the rows have here. */
  stored?: readonly Identified[];
  /** Conflicts that show from the start. */
  conflicts?: readonly RowConflict[];
  /** Mod-S. */
  save(): void;
  /** Called after a remote change. */
  remoteChanged?(note: RemoteChangeNote): void;
  /** Accounts of the authors of the remote change that comes in, as far as they are known. */
  remoteAuthors?(): readonly string[];
  /** Called with each action that the application may count. */
  done?(action: Action): void;
}

/**
 * All extensions of a checklist editor. Tab indents; Escape, then Tab, leaves the text. Settings are changed later by the
 * `setX()` specs beside the extensions.
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
    config.choose ? menuProvider.of(config.choose) : [],
    keymap.of(defaultKeymap),
    undoHistory,
    typedMarks,
    // The language before what reads its tree.
    checklistLanguage,
    statusesOf(config.statuses),
    config.provider ? provider.of(config.provider) : [],
    checklistField,
    rowIds(config.rowIds),
    storedVersion(config.stored),
    startConflicts(config.conflicts ?? []),
    completions({ calendar: config.calendar }),
    config.offersDays ? dayOffers(config.offersDays) : [],
    highlight,
    lineDecorations,
    collaboration,
    config.remoteChanged ? onRemoteChange.of(config.remoteChanged) : [],
    config.remoteAuthors ? remoteAuthors.of(config.remoteAuthors) : [],
    config.done ? onAction.of(config.done) : [],
    plain(config.plain ?? false),
    statusGutter,
    diagnostics(config),
    clipboard,
    // After all that Escape closes.
    leavable,
    access(config.editable),
    input(config.label),
    placeholder(config.placeholder),
    drawSelection(),
    highlightActiveLine(),
    EditorView.lineWrapping,
    theme,
  ];
}

export { checklistOf, isChecklistChanged, setStatuses } from './checklist.ts';
export { setPlain } from './chips.ts';
export { anchorOf, positionOf, type RowAnchor } from './collaboration/anchors.ts';
export { setCollaborators } from './collaboration/collaborators.ts';
export {
  chooseAll,
  conflictAt,
  conflictsOf,
  goToChoice,
  nameAuthor,
  type RowConflict,
  type ShownConflict,
  undecidedIn,
  undecidedValues,
  unnamedConflicts,
} from './collaboration/conflicts.ts';
export { mergeRemote, type RemoteChange } from './collaboration/merge-remote.ts';
export { receive } from './collaboration/remote.ts';
export type { RemoteChangeNote } from './collaboration/remote-changes.ts';
export { idsOfVersion } from './collaboration/stored-version.ts';
export {
  type EditorCommand,
  editorCommands,
  isOffered,
  onUpdate,
  runKey,
  setCommands,
} from './commands/command.ts';
export { hintOf, keyShortcut, keyTexts } from './commands/keys.ts';
export type { Menu, MenuItem } from './commands/menu.ts';
export { type CalendarRequest, completions, type MountCalendar } from './complete.ts';
export { nextProblem } from './diagnostics.ts';
export { tick } from './gutter.ts';
export { setEditable } from './input.ts';
export type { Provider, RecentKind } from './provider.ts';
export { lastingIdsOf, rowIdsOf } from './row-ids.ts';
