import { history, undo, undoDepth } from '@codemirror/commands';
import { EditorSelection, EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editorCommands, isOffered } from '../../src/editor/commands/command.ts';
import { keyFrom } from '../../src/editor/commands/keys.ts';
import { checklistEditor } from '../../src/editor/index.ts';
import { runs } from '../run/seed.ts';
import { markedText, statuses, storedText } from '../text/arbitrary.ts';

const extensions = [
  history({ newGroupDelay: 10_000 }),
  checklistEditor({
    label: 'Text',
    editable: true,
    statuses,
    me: 'a:1',
    choose: () => undefined,
    placeholder: '',
    save: () => undefined,
  }),
];
/** What a command needs of a view, without the page, which would take most of the time. */
class Headless {
  state: EditorState;

  constructor(state: EditorState) {
    this.state = state;
  }

  // Bound, as that of a view is.
  readonly dispatch = (...specs: (Transaction | TransactionSpec)[]) => {
    for (const spec of specs) this.state = spec instanceof Transaction ? spec.state : this.state.update(spec).state;
  };
}

const all = EditorState.create({ extensions }).facet(editorCommands);

/** A text with one to three ranges anywhere in it. */
const edited = fc.tuple(
  fc.oneof(storedText, markedText),
  fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }),
);

function stateOf(text: string, ranges: readonly (readonly [number, number])[], ...more: (typeof extensions)[number][]) {
  const at = (place: number) => place % (text.length + 1);
  const selection = EditorSelection.create(ranges.map(([anchor, head]) => EditorSelection.range(at(anchor), at(head))));
  return EditorState.create({ doc: text, selection, extensions: [more, extensions] });
}

test('any edit of any text at any selection is one step to undo, and undoing gives the text back', () => {
  fc.assert(
    fc.property(
      edited,
      fc.constantFrom(...all.filter(({ edits, id }) => edits && id !== 'replace')),
      ([text, ranges], command) => {
        const view = new Headless(stateOf(text, ranges));
        if (!isOffered(command, view.state)) return;
        command.run(view as unknown as EditorView);
        if (view.state.doc.toString() === text) return;
        expect(undoDepth(view.state)).toBe(1);
        undo(view);
        expect(view.state.doc.toString()).toBe(text);
      },
    ),
    runs(3000),
  );
});

test('a text stays as it is by what is no edit, and all of it where it is read-only', () => {
  const view = new EditorView({ parent: document.body });
  fc.assert(
    fc.property(edited, fc.boolean(), fc.constantFrom(...all), ([text, ranges], readOnly, command) => {
      if (command.edits && !readOnly) return;
      view.setState(stateOf(text, ranges, EditorState.readOnly.of(readOnly)));
      if (isOffered(command, view.state)) command.run(view);
      expect(view.state.doc.toString()).toBe(text);
    }),
    runs(300),
  );
});

test('no two commands have one id, and those that share a key never run at once', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const keys = all.flatMap(({ keys = [], enabled }) => (enabled ? [] : keys.map(key => keyFrom(key).key)));
  expect(new Set(keys).size).toBe(keys.length);
});
