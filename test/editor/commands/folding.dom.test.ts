import { foldedRanges } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { receive, remote } from '../../../src/editor/collaboration/remote.ts';
import {
  folding,
  foldSection,
  foldSections,
  unfoldSection,
  unfoldSections,
} from '../../../src/editor/commands/folding.ts';
import { marked, stateOf } from '../fixture.ts';

const open = (text: string) => new EditorView({ state: stateOf(text, folding, remote) });

/** The text as it shows, with `…` for what is folded. */
function shown({ state }: EditorView): string {
  let text = '';
  let position = 0;
  foldedRanges(state).between(0, state.doc.length, (from, to) => {
    if (from < position) return;
    text += `${state.sliceDoc(position, from)}…`;
    position = to;
  });
  return text + state.sliceDoc(position);
}

test('a section folds below its header, from anywhere in it, and the cursor goes there', () => {
  const view = open('# A\n> why\n- a\n- b|\n# B\n- c');
  foldSection(view);
  expect(shown(view)).toBe('# A…\n# B\n- c');
  expect(marked(view.state)).toBe('# A|\n> why\n- a\n- b\n# B\n- c');
  unfoldSection(view);
  expect(shown(view)).toBe(view.state.doc.toString());
});

test('the innermost first, then the one around it', () => {
  const view = open('# A\n- a\n## A1\n- b|\n# B');
  foldSection(view);
  expect(shown(view)).toBe('# A\n- a\n## A1…\n# B');
  foldSection(view);
  expect(shown(view)).toBe('# A…\n# B');
});

test('all of them', () => {
  const view = open('|# A\n- a\n# B\n- b\n# C');
  foldSections(view);
  expect(shown(view)).toBe('# A…\n# B…\n# C');
  unfoldSections(view);
  expect(shown(view)).toBe(view.state.doc.toString());
});

test('there is nothing to fold outside sections or in an empty one', () => {
  expect(foldSection(open('- a|'))).toBe(false);
  expect(foldSection(open('# A|\n# B'))).toBe(false);
});

test('remote changes leave a section folded and hide what they add', async () => {
  const view = open('|# A\n- a\n# B\n- b');
  foldSections(view);
  const base = view.state.doc.toString();
  await receive(view, { base: { text: base }, text: '# A\n+ a\n- new\n# B\n- b\n- last' });
  expect(view.state.doc.toString()).toBe('# A\n+ a\n- new\n# B\n- b\n- last');
  expect(shown(view)).toBe('# A…\n# B…');
});
