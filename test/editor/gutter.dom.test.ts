import { undo } from '@codemirror/commands';
import { foldedRanges } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, test } from 'vitest';
import { editorOf } from './fixture.ts';

let view: EditorView;
afterEach(() => view.destroy());

function open(doc: string, editable = true) {
  view = editorOf(doc, { editable });
}

const markers = () => [...view.dom.querySelectorAll<HTMLElement>('.cm-check-tick')];
const names = () => markers().map(({ title }) => title);
const mouse = (type: string) => new MouseEvent(type, { bubbles: true, cancelable: true, button: 0 });

test('each item has its status beside it, a section its fold; details and blank lines have nothing', () => {
  open('# Head\n- a\n> d\n\n~ b\n+ c\nx d\n- [ON HOLD] e');
  expect(names()).toEqual([
    'Fold this section',
    'To Do. Click when done',
    'In Progress. Click when done',
    'Done. Click to reopen',
    'Skipped. Click to reopen',
    'ON HOLD. Click when done',
  ]);
});

test('a finger has targets of 44 px, on lines as high', () => {
  open('# Head\n- a');
  const rules = view.state.facet(EditorView.styleModule).map(each => each.getRules());
  const [, coarse] = rules.find(each => each.includes('.cm-check-tick'))?.split('@media (pointer: coarse)') ?? [];
  expect(coarse).toMatch(/\.cm-check-tick \{[^}]*width: 44px; height: 44px/);
  // 24 px of text between them.
  expect(coarse).toMatch(/\.cm-line \{[^}]*padding-top: 10px; padding-bottom: 10px/);
});

test('the statuses differ in shape', () => {
  open('- a\n~ b\n+ c\nx d\n- [ON HOLD] e');
  expect(new Set(markers().map(({ innerHTML }) => innerHTML)).size).toBe(5);
});

/** jsdom has no layout: every click is one on the first line. */
const click = () => {
  const [marker] = markers();
  marker?.dispatchEvent(mouse('mousedown'));
  marker?.dispatchEvent(mouse('click'));
};

test('a click ticks the row, another one takes the tick back', () => {
  open('- a\n- b');
  click();
  expect(view.state.doc.toString()).toBe('+ a\n- b');
  expect(view.dom.querySelector('.cm-announced')).toHaveTextContent('Done');
  expect(names()[0]).toBe('Done. Click to reopen');
  click();
  expect(view.state.doc.toString()).toBe('- a\n- b');
});

test('undo takes back what was clicked and nothing that was typed behind', () => {
  open('- a');
  click();
  view.dispatch({ changes: { from: 1, insert: ' b' }, userEvent: 'input.type' });
  expect(view.state.doc.toString()).toBe('+ b a');
  undo(view);
  expect(view.state.doc.toString()).toBe('+ a');
  undo(view);
  expect(view.state.doc.toString()).toBe('- a');
});

test('a click whose row moved away under the pointer changes nothing', () => {
  open('- a\n- b');
  const [marker] = markers();
  marker?.dispatchEvent(mouse('mousedown'));
  view.dispatch({ changes: { from: 0, insert: '- new\n' } });
  marker?.dispatchEvent(mouse('click'));
  expect(view.state.doc.toString()).toBe('- new\n- a\n- b');
});

test('who may only read sees statuses and changes none', () => {
  open('- a', false);
  expect(names()).toEqual(['To Do']);
  click();
  expect(view.state.doc.toString()).toBe('- a');
});

test('a text that would be read as something else is left alone, and that is said', () => {
  open('[ON HOLD] a');
  click();
  expect(view.state.doc.toString()).toBe('[ON HOLD] a');
  expect(view.dom.querySelector('.cm-announced')).toHaveTextContent('The text would be read as something else');
});

test('a section that can be folded has a marker, which folds and shows it', () => {
  open('# Head\n- a');
  expect(names()[0]).toBe('Fold this section');
  click();
  expect(foldedRanges(view.state).size).toBe(1);
  expect(names()).toEqual(['Show this section']);
  click();
  expect(foldedRanges(view.state).size).toBe(0);
});
