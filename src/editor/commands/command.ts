import { Compartment, type EditorState, type Extension, Facet, Prec, type TransactionSpec } from '@codemirror/state';
import { type EditorView, type KeyBinding, keymap, runScopeHandlers } from '@codemirror/view';

/** Where a key works besides the text: in the panel of find and replace, in the choice below a row, in the whole page. */
type Elsewhere = 'search-panel' | 'conflict' | 'page';

export interface Key extends Pick<KeyBinding, 'key' | 'mac'> {
  scope?: `editor ${Elsewhere}`;
  /** What is left to do where the browser does the rest by itself: the key stays the browser's. */
  prepare?(view: EditorView): void;
}

/** One thing that people can do in the editor. Keymap, palette, toolbar and key help are made of these and nothing else. */
export interface EditorCommand {
  id: string;
  title: string;
  /** The first is the one that is shown. */
  keys?: readonly Key[];
  /** It changes the text; offered only where that may be changed. */
  edits: boolean;
  /** Whether it makes sense now; always unless given. */
  enabled?(state: EditorState): boolean;
  /** Answers whether it did something, or the key is for somebody else. */
  run(view: EditorView): boolean;
}

/** Whether a command can be run in a state. */
export const isOffered = ({ edits, enabled }: EditorCommand, state: EditorState): boolean =>
  !(edits && state.readOnly) && (enabled?.(state) ?? true);

function bindingOf(command: EditorCommand, { prepare, ...key }: Key): KeyBinding {
  if (prepare) {
    const run = (view: EditorView) => {
      prepare(view);
      return false;
    };
    return { ...key, run };
  }
  return {
    ...key,
    run: view => isOffered(command, view.state) && command.run(view),
    // The browser has other plans for most of these keys; Escape is the host's where nothing here is to be closed.
    preventDefault: key.key !== 'Escape',
    stopPropagation: key.key === 'Escape',
  };
}

const bindingsOf = (command: EditorCommand): KeyBinding[] => (command.keys ?? []).map(key => bindingOf(command, key));

/** The commands of an editor. Whoever adds some gets their keys bound, before CodeMirror's own. */
export const editorCommands = Facet.define<readonly EditorCommand[], readonly EditorCommand[]>({
  combine: lists => lists.flat(),
  enables: commands =>
    Prec.high(keymap.compute([commands], state => state.facet(commands).flatMap(command => bindingsOf(command)))),
});

const added = new Compartment();

/** Room for what the application around an editor can do. */
export const addedCommands: Extension = added.of([]);

/** Puts the application's commands beside the editor's own, in place of those that it put there before. */
export const setCommands = (commands: readonly EditorCommand[]): TransactionSpec => ({
  effects: added.reconfigure(editorCommands.of(commands)),
});

/** Runs the command that a key outside the text means there, if any. */
export function runKey(view: EditorView, event: KeyboardEvent, where: Elsewhere): void {
  if (!event.defaultPrevented && runScopeHandlers(view, event, where)) event.preventDefault();
}

/** What can be done now, in the order in which it was added. */
export const offeredCommands = (state: EditorState): readonly EditorCommand[] =>
  state.facet(editorCommands).filter(command => isOffered(command, state));
