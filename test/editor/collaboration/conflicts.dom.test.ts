import { history, redo, undo } from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { getAllByRole, getByRole, queryByRole } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { conflicts, conflictsOf, undecidedValues } from '../../../src/editor/collaboration/conflicts.ts';
import { foldedChoices } from '../../../src/editor/collaboration/folded-choices.ts';
import { receive, remote } from '../../../src/editor/collaboration/remote.ts';
import { remoteAuthors, remoteChanges } from '../../../src/editor/collaboration/remote-changes.ts';
import { folding, foldSections } from '../../../src/editor/commands/folding.ts';
import { type Provider, provider } from '../../../src/editor/provider.ts';
import { rowIdsOf } from '../../../src/editor/row-ids.ts';
import { fakeProvider } from '../complete/offers.ts';
import { stateOf } from '../fixture.ts';

let view: EditorView | undefined;
afterEach(() => view?.destroy());

function open(text: string, ...extensions: Extension[]): EditorView {
  const state = stateOf(text, history(), remoteChanges, conflicts, folding, foldedChoices, remote, extensions);
  view = new EditorView({ state, parent: document.body });
  return view;
}

const doc = (editor: EditorView) => editor.state.doc.toString();
const type = (editor: EditorView, at: number, insert: string) =>
  editor.dispatch({ changes: { from: at, insert }, userEvent: 'input.type' });
const bar = (editor: EditorView) => queryByRole(editor.dom, 'group', { name: /^You and someone else changed/ });
const button = (editor: EditorView, name: RegExp) => getByRole(editor.dom, 'button', { name });

/** An editor whose row `write all the tests` was changed remotely to `write some tests`. */
async function conflicting(before = '# A\n', after = '- b\n') {
  const editor = open(`${before}- write all the tests|\n${after}`);
  const left = await receive(editor, {
    base: { text: `${before}- write the tests\n${after}` },
    text: `${before}- write some tests\n${after}`,
  });
  expect(left).toEqual([]);
  return editor;
}

test('where both changed the text of a row, it says below that what both wrote', async () => {
  const editor = await conflicting();
  expect(doc(editor)).toBe('# A\n- write all the tests\n- b\n');
  expect(bar(editor)).toHaveTextContent('Mine: write all the tests');
  expect(bar(editor)).toHaveTextContent('Theirs: write some tests');
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('- write all the tests');
});

test('what is typed in the row since shows as mine', async () => {
  const editor = await conflicting();
  button(editor, /^Take theirs/).focus();
  type(editor, doc(editor).indexOf('\n- b'), ' and more');
  expect(bar(editor)).toHaveTextContent('Mine: write all the tests and more');
  expect(button(editor, /^Keep mine/)).toHaveAccessibleName('Keep mine: write all the tests and more');
  expect(button(editor, /^Take theirs/)).toHaveFocus();
});

test('the header of a folded section says that a choice is inside, and leads there', async () => {
  const editor = await conflicting('# A\n', '- b\n# B\n- c\n');
  const mark = () => queryByRole(editor.dom, 'button', { name: '1 choice is open in this section. Go to choice.' });
  expect(mark()).toBeNull();
  foldSections(editor);
  expect(bar(editor)).toBeNull();
  expect(mark()?.closest('.cm-line')).toHaveTextContent('# A');
  await userEvent.click(mark() ?? editor.dom);
  expect(bar(editor)).not.toBeNull();
  expect(mark()).toBeNull();
});

test('a folded section says that a choice came into it', async () => {
  const editor = open('# A\n- write all the tests|\n# B\n- b\n');
  foldSections(editor);
  await receive(editor, {
    base: { text: '# A\n- write the tests\n# B\n- b\n' },
    text: '# A\n- write some tests\n# B\n- b\n',
  });
  expect(button(editor, /^1 choice is open in this section/)).toBeVisible();
});

test('it names the colleague, once the name is known', async () => {
  let name: string | undefined;
  let authors = ['a1'];
  const listeners = new Set<() => void>();
  const people: Provider = {
    ...fakeProvider(),
    person: id => (id === 'a1' && name !== undefined ? { accountId: id, name, avatar: '' } : undefined),
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const editor = open(
    '- write all the tests|',
    provider.of(people),
    remoteAuthors.of(() => authors),
  );
  await receive(editor, { base: { text: '- write the tests' }, text: '- write some tests' });
  expect(bar(editor)).toHaveTextContent('You and someone else changed the text');
  name = 'Emma Richards';
  for (const listener of listeners) listener();
  expect(getByRole(editor.dom, 'group', { name: 'You and Emma Richards changed the text' })).toBeVisible();
  // The answer to the own text, with the same choice, does not say whose it is.
  authors = [];
  const mine = { text: '- write all the tests' };
  const conflict = { row: 'write all the tests', attribute: 'text', mine: 'write all the tests' } as const;
  await receive(editor, {
    ...{ base: mine, ...mine, isAnswer: true },
    conflicts: [{ ...conflict, theirs: 'write some tests', stored: 'mine' }],
  });
  expect(getByRole(editor.dom, 'group', { name: 'You and Emma Richards changed the text' })).toBeVisible();
  await userEvent.click(button(editor, /^Keep mine/));
  expect(listeners.size).toBe(0);
});

test('theirs is taken by a button, as one step that undo takes back together with the question', async () => {
  const editor = await conflicting();
  type(editor, doc(editor).length - 1, '!');
  await userEvent.click(button(editor, /^Take theirs/));
  expect(doc(editor)).toBe('# A\n- write some tests\n- b!\n');
  expect(bar(editor)).toBeNull();
  expect(editor.hasFocus).toBe(true);
  undo(editor);
  expect(doc(editor)).toBe('# A\n- write all the tests\n- b!\n');
  expect(bar(editor)).not.toBeNull();
  redo(editor);
  expect(doc(editor)).toBe('# A\n- write some tests\n- b!\n');
  expect(bar(editor)).toBeNull();
});

test('mine is kept by a button; undo asks again', async () => {
  const editor = await conflicting();
  await userEvent.click(button(editor, /^Keep mine/));
  expect(bar(editor)).toBeNull();
  undo(editor);
  expect(doc(editor)).toBe('# A\n- write all the tests\n- b\n');
  expect(bar(editor)).not.toBeNull();
});

test('the choice is said aloud', async () => {
  const editor = await conflicting();
  const aloud = () => editor.dom.querySelector('[aria-live]')?.textContent;
  expect(aloud()).toMatch(/changed the same item/);
  await userEvent.click(button(editor, /^Take theirs/));
  expect(aloud()).toBe('Took theirs.');
});

test('a conflict stays with its row while typing around and in it', async () => {
  const editor = await conflicting();
  type(editor, 0, '- new\n');
  type(editor, doc(editor).indexOf(' tests'), ' of the');
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('- write all the of the tests');
  await userEvent.click(button(editor, /^Take theirs/));
  expect(doc(editor)).toBe('- new\n# A\n- write some tests\n- b\n');
});

test('taking theirs leaves the words of a row that was joined with it', async () => {
  const editor = await conflicting();
  const end = doc(editor).indexOf('\n- b');
  editor.dispatch({ changes: { from: end, to: end + 3, insert: ' ' } });
  expect(doc(editor)).toBe('# A\n- write all the tests b\n');
  await userEvent.click(button(editor, /^Take theirs/));
  expect(doc(editor)).toBe('# A\n- write some tests b\n');
});

test('an undecided choice keeps its base when an earlier conflict of its row is reported', async () => {
  const editor = await conflicting();
  const base = { text: '# A\n- write some tests\n- b\n', rows: rowIdsOf(editor.state) };
  const undecided = () => undecidedValues(editor.state, base.rows);
  const open = undecided();
  expect(open).toMatchObject([{ attribute: 'text', value: 'write the tests' }]);
  const earlier = {
    row: 'write some tests',
    attribute: 'text',
    mine: 'write the tests',
    theirs: 'write some tests',
    stored: 'theirs',
  } as const;
  await receive(editor, { base, ...base, conflicts: [earlier] });
  expect(undecided()).toEqual(open);
  expect(bar(editor)).toHaveTextContent('Mine: write all the tests');
});

/** An editor with a choice that the server has recorded, and a function with which a colleague rewords its row. */
async function recorded() {
  const editor = await conflicting();
  const rows = rowIdsOf(editor.state);
  const version = () => ({ text: doc(editor), rows });
  await receive(editor, { base: version(), ...version(), isAnswer: true });
  const reword = (words: string) => receive(editor, { base: version(), text: `# A\n- ${words}\n- b\n`, rows });
  return { editor, reword };
}

test('a choice that the server has recorded stays when others type on in its row', async () => {
  const { editor, reword } = await recorded();
  await reword('write all the tests today');
  expect(doc(editor)).toBe('# A\n- write all the tests today\n- b\n');
  await reword('nothing at all');
  await userEvent.click(button(editor, /^Take theirs/));
  expect(doc(editor)).toBe('# A\n- write some tests\n- b\n');
});

test('it stays at the row that others joined its row with when they replace the words there', async () => {
  const { editor } = await recorded();
  const [header = '', , last = ''] = rowIdsOf(editor.state);
  for (const line of ['# A write all the tests', '# A step']) {
    const base = { text: doc(editor), rows: rowIdsOf(editor.state) };
    await receive(editor, { base, text: `${line}\n- b\n`, rows: [header, last] });
    expect(bar(editor)?.previousElementSibling).toHaveTextContent(line);
  }
  expect(bar(editor)).toHaveTextContent('Theirs: write some tests');
});

test('it goes when others give the row the value that it lacked', async () => {
  const { editor, reword } = await recorded();
  await reword('write some tests today');
  expect(doc(editor)).toBe('# A\n- write some tests today\n- b\n');
  expect(bar(editor)).toBeNull();
});

test('it goes when the row is deleted', async () => {
  const editor = await conflicting();
  editor.dispatch({ changes: { from: '# A\n'.length, to: doc(editor).indexOf('- b') } });
  expect(doc(editor)).toBe('# A\n- b\n');
  expect(bar(editor)).toBeNull();
});

test('it stays with the words of a row that is joined with the one above, and theirs is taken there', async () => {
  const editor = await conflicting('- first\n');
  const from = doc(editor).indexOf('\n- write');
  editor.dispatch({ changes: { from, to: from + '\n- '.length, insert: ' ' } });
  type(editor, doc(editor).indexOf('\n'), ' today');
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('- first write all the tests today');
  await userEvent.click(button(editor, /^Take theirs/));
  expect(doc(editor)).toBe('- first write some tests today\n- b\n');
  expect(bar(editor)).toBeNull();
});

test('it stays with a row that becomes a detail, and theirs is taken there', async () => {
  const editor = await conflicting('- first\n');
  const from = doc(editor).indexOf('- write');
  editor.dispatch({ changes: { from, to: from + 1, insert: '>' } });
  await userEvent.click(button(editor, /^Take theirs/));
  expect(doc(editor)).toBe('- first\n> write some tests\n- b\n');
});

test('it stays when the line above is deleted whole', async () => {
  const editor = await conflicting();
  editor.dispatch({ changes: { from: 0, to: '# A\n'.length } });
  expect(bar(editor)).not.toBeNull();
});

test('below the details of its row', async () => {
  const editor = await conflicting('', '> why\n- b\n');
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('> why');
});

test('several are gone through by keyboard, from the text and from one to the next', async () => {
  const editor = open('- write all the tests|\n- x\n+ ship the thing\n');
  await receive(editor, {
    base: { text: '- write the tests\n- x\n- ship the thing\n' },
    text: '- write some tests\n- x\n~ ship the thing\n',
  });
  expect(conflictsOf(editor.state)).toHaveLength(2);
  editor.dispatch({ selection: { anchor: 0 } });
  editor.focus();
  await userEvent.keyboard('{Alt>}{F5}{/Alt}');
  await expect.poll(() => document.activeElement?.textContent).toBe('Keep mine');
  expect(document.activeElement).toHaveAccessibleName('Keep mine: Done');
  await userEvent.keyboard('{Alt>}{F5}{/Alt}');
  await expect.poll(() => document.activeElement).toHaveAccessibleName('Keep mine: write all the tests');
  await userEvent.keyboard('{Escape}');
  expect(editor.hasFocus).toBe(true);
  expect(getAllByRole(editor.dom, 'group').map(each => each.textContent)).toEqual([
    expect.stringContaining('1 of 2'),
    expect.stringContaining('2 of 2'),
  ]);
});

test('a conflict that the server found has its row even where more was typed since', async () => {
  const editor = open('# A\n- write all the tests at once|\n');
  const conflict = {
    row: 'write all the tests',
    attribute: 'text',
    mine: 'write all the tests',
    theirs: 'write',
  } as const;
  const base = '# A\n- write all the tests\n';
  expect(await receive(editor, { base: { text: base }, text: `- new\n${base}`, conflicts: [conflict] })).toEqual([]);
  expect(bar(editor)?.previousElementSibling).toHaveTextContent('- write all the tests at once');
});

test('a conflict without a row is returned to the caller', async () => {
  const editor = open('- a|\n');
  const conflict = { row: 'gone', attribute: 'text', mine: 'a', theirs: 'b' } as const;
  expect(await receive(editor, { base: { text: '- a\n' }, text: '- a\n', conflicts: [conflict] })).toEqual([conflict]);
  expect(bar(editor)).toBeNull();
});

test('what cannot be taken any more says so', async () => {
  const editor = open('+ ship the thing|\n');
  await receive(editor, { base: { text: '- ship the thing\n' }, text: '~ ship the thing\n' });
  editor.dispatch({ changes: { from: 0, to: 1, insert: '#' } });
  await userEvent.click(button(editor, /^Take theirs/));
  expect(getByRole(editor.dom, 'alert')).toHaveTextContent(/header has no status/);
  expect(bar(editor)).not.toBeNull();
});

test('a focused choice stays in use when others change their value again, and takes that', async () => {
  const editor = await conflicting();
  button(editor, /^Take theirs/).focus();
  const base = { text: '# A\n- write some tests\n- b\n' };
  await receive(editor, { base, text: '# A\n- write few tests\n- b\n' });
  expect(button(editor, /^Take theirs/)).toHaveFocus();
  expect(button(editor, /^Take theirs/)).toHaveAccessibleName('Take theirs: write few tests');
  await userEvent.keyboard('{Enter}');
  expect(doc(editor)).toBe('# A\n- write few tests\n- b\n');
});

test('the focus goes to the text when others end the choice that had it', async () => {
  const editor = await conflicting();
  button(editor, /^Take theirs/).focus();
  const base = { text: '# A\n- write some tests\n- b\n' };
  await receive(editor, { base, text: '# A\n- write all the tests\n- b\n' });
  expect(bar(editor)).toBeNull();
  expect(editor.hasFocus).toBe(true);
});
