import { Facet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** One of several things to choose from. */
export interface Choice {
  id: string;
  label: string;
  /** The key that does it without the menu. */
  key?: string;
  run(view: EditorView): void;
}

/** What a command asks people to choose from. */
export interface Menu {
  label: string;
  choices: readonly Choice[];
}

/** Shows a menu and runs what is chosen; the application brings it. Commands that need it are not offered without. */
export const chooser = Facet.define<
  (menu: Menu, view: EditorView) => void,
  ((menu: Menu, view: EditorView) => void) | undefined
>({ combine: given => given[0] });
