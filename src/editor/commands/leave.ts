import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, showTooltip, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { element } from '../element.ts';
import { type EditorCommand, editorCommands } from './command.ts';

/*
 * Tab indents, so that the keyboard leaves the text by Escape, then Tab: until another key is pressed or the focus goes,
 * without any time limit.
 */

const setLeaving = StateEffect.define<boolean>();

const leaving = StateField.define<boolean>({
  create: () => false,
  update: (before, { effects, startState, docChanged, selection }) => {
    const lastEffect = effects.findLast(effect => effect.is(setLeaving));
    if (lastEffect) return lastEffect.value;
    return before && !docChanged && !selection && !startState.readOnly;
  },
  provide: field =>
    showTooltip.compute([field, 'selection'], state =>
      state.field(field)
        ? {
            pos: state.selection.main.head,
            above: false,
            create: () => ({ dom: element('div', 'cm-complete-hint', words.leave) }),
          }
        : null,
    ),
});

const words = {
  leave: 'Press Tab to leave the text.',
  help: 'Tab indents an item, Shift+Tab takes it back. To leave the text, press Escape, then Tab.',
};

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

let editors = 0;

class Leaving {
  /** The text's description for assistive technology. */
  readonly help = element('span', 'cm-keys-help', words.help);
  private readonly view: EditorView;

  constructor(view: EditorView) {
    this.view = view;
    this.help.id = `cm-keys-help-${++editors}`;
    this.help.hidden = true;
    view.dom.append(this.help);
  }

  update({ startState, state }: ViewUpdate) {
    const isLeaving = state.field(leaving);
    if (startState.field(leaving) !== isLeaving) this.view.setTabFocusMode(isLeaving);
  }

  /** Back to the mode in which Tab indents. */
  stay() {
    if (this.view.state.field(leaving)) this.view.dispatch({ effects: setLeaving.of(false) });
  }

  destroy() {
    this.help.remove();
  }
}

const plugin = ViewPlugin.fromClass(Leaving, {
  eventObservers: {
    keydown({ key }) {
      if (key !== 'Tab' && key !== 'Escape' && !modifiers.has(key)) this.stay();
    },
    blur() {
      // Not while the view handles the event that takes the focus away.
      setTimeout(() => this.stay());
    },
  },
});

const leave: EditorCommand = {
  id: 'leave',
  title: 'Leave the text with Tab',
  keys: [{ key: 'Escape' }],
  edits: true,
  // Escape once more is the host's.
  enabled: state => !(state.field(leaving, false) ?? true),
  run: view => {
    if (view.composing) return false;
    view.dispatch({ effects: [setLeaving.of(true), EditorView.announce.of(words.leave)] });
    return true;
  },
};

/** Escape, then Tab, leaves the text. Comes after what else Escape closes. */
export const leavable: Extension = [
  leaving,
  plugin,
  editorCommands.of([leave]),
  EditorView.contentAttributes.of(view => {
    const help = view.plugin(plugin)?.help;
    return help && !view.state.readOnly ? { 'aria-describedby': help.id } : null;
  }),
];
