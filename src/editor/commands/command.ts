import { Compartment, type EditorState, type Extension, Facet, Prec, type TransactionSpec } from '@codemirror/state';
import { type EditorView, type KeyBinding, keymap, runScopeHandlers, ViewPlugin } from '@codemirror/view';
import { keyFrom } from './keys.ts';

/** The scopes in which a shortcut works besides the text: the search panel, a conflict bar, the whole page. */
type KeyScope = 'search-panel' | 'conflict' | 'page';

export interface Key extends Pick<KeyBinding, 'key' | 'mac'> {
  scope?: `editor ${KeyScope}`;
  /** Preparation before the browser's default action of the key. */
  prepare?(view: EditorView): void;
}

/** A command of the editor: the source of keymap, palette, toolbar and shortcut help. */
export interface EditorCommand {
  id: string;
  title: string;
  /** The first key is shown. A string stands for a key of the text alone that is the same on every system. */
  keys?: readonly (Key | string)[];
  /** The command changes the text, so it is offered only if the text may be changed. */
  edits: boolean;
  /** Whether it makes sense now; always unless given. */
  enabled?(state: EditorState): boolean;
  /** Whether the command's setting is on at the cursor; only commands that switch a setting have this function. */
  pressed?(state: EditorState): boolean;
  /** Returns `false` if the key is not handled. */
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
    // The browser uses most of these keys itself; Escape is the host's if there is nothing to close, and Tab leaves a
    // text that cannot be edited.
    preventDefault: key.key !== 'Escape' && !key.key?.endsWith('Tab'),
    stopPropagation: key.key === 'Escape',
  };
}

const bindingsOf = (command: EditorCommand): KeyBinding[] =>
  (command.keys ?? []).map(key => bindingOf(command, keyFrom(key)));

/** Calls its listeners after each update of a view. */
class Updates {
  readonly listeners = new Set<() => void>();

  update() {
    for (const listener of this.listeners) listener();
  }
}

const updates = ViewPlugin.fromClass(Updates);

/** Calls a listener after each update of a view, for what shows elsewhere what its commands can do. Returns how to end it. */
export function onUpdate(view: EditorView, listener: () => void): () => void {
  const listeners = view.plugin(updates)?.listeners;
  listeners?.add(listener);
  return () => void listeners?.delete(listener);
}

/** The commands of an editor. Their shortcuts are bound before CodeMirror's. */
export const editorCommands = Facet.define<readonly EditorCommand[], readonly EditorCommand[]>({
  combine: lists => lists.flat(),
  enables: commands => [
    Prec.high(keymap.compute([commands], state => state.facet(commands).flatMap(command => bindingsOf(command)))),
    updates,
  ],
});

const added = new Compartment();

/** Compartment for the application's commands. */
export const addedCommands: Extension = added.of([]);

/** Adds the application's commands to the editor's own, in place of the commands that it added before. */
export const setCommands = (commands: readonly EditorCommand[]): TransactionSpec => ({
  effects: added.reconfigure(editorCommands.of(commands)),
});

/** Runs the command that a key outside the text means there, if any. */
export function runKey(view: EditorView, event: KeyboardEvent, where: KeyScope): void {
  if (!event.defaultPrevented && runScopeHandlers(view, event, where)) event.preventDefault();
}

/** The commands that can run now, in the order in which they were added. */
export const offeredCommands = (state: EditorState): readonly EditorCommand[] =>
  state.facet(editorCommands).filter(command => isOffered(command, state));
