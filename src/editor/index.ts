import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, placeholder } from '@codemirror/view';
import type { StatusRegistry } from '../text/statuses.ts';
import { access } from './access.ts';
import { checklistField, statuses } from './checklist.ts';
import { nextStatus, toggleDone } from './commands.ts';
import { continueList, removeMark } from './continue.ts';
import { highlight } from './highlight.ts';
import { input } from './input.ts';
import { checklistLanguage } from './language.ts';
import { look } from './look.ts';
import { type Provider, provider } from './provider.ts';
import { remote } from './remote.ts';
import { theme } from './theme.ts';

export interface EditorConfig {
  /** The text's name to those who hear it. */
  label: string;
  editable: boolean;
  /** Statuses that the text may name; the built-in ones unless given. */
  statuses?: StatusRegistry;
  /** People, issues and the day; without it the editor knows its text only. */
  provider?: Provider;
  /** Shown while there is no text. */
  placeholder: string;
  /** Mod-S. */
  save(): void;
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
    // Before the default keymap: it binds Mod-Enter and Enter too.
    Prec.high(
      keymap.of([
        { key: 'Mod-s', run: save, preventDefault: true },
        { key: 'Mod-Enter', run: toggleDone, shift: nextStatus },
        { key: 'Enter', run: continueList },
        { key: 'Backspace', run: removeMark },
      ]),
    ),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    history(),
    // The language before what reads its tree.
    checklistLanguage,
    config.statuses ? statuses.of(config.statuses) : [],
    config.provider ? provider.of(config.provider) : [],
    checklistField,
    highlight,
    look,
    remote,
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
export { checklistOf } from './checklist.ts';
export type { Provider } from './provider.ts';
export { type Arrival, receive } from './remote.ts';
