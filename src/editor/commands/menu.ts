import { Facet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** One of several things to choose from. */
export interface MenuItem {
  id: string;
  label: string;
  /** The key that does it without the menu. */
  key?: string;
  run(view: EditorView): void;
}

/** A menu of a command. */
export interface Menu {
  label: string;
  choices: readonly MenuItem[];
}

/**
 * Shows a menu and runs the chosen entry; provided by the application. Commands that need it are not offered without.
 */
export const menuProvider = Facet.define<
  (menu: Menu, view: EditorView) => void,
  ((menu: Menu, view: EditorView) => void) | undefined
>({ combine: given => given[0] });
