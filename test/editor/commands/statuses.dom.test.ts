import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { offeredCommands } from '../../../src/editor/commands/command.ts';
import { checklistEditor, checklistOf, setStatuses } from '../../../src/editor/index.ts';
import { builtIn } from '../../../src/text/status-registry.ts';
import { statuses } from '../../text/arbitrary.ts';

const config = { label: 'Text', editable: true, placeholder: '', save: () => undefined };

test('statuses that come later are read, shown and offered', () => {
  const view = new EditorView({ doc: '- [ON HOLD] a', extensions: checklistEditor(config) });
  const row = () => checklistOf(view.state).rows[0];
  expect(row()).toMatchObject({ text: '[ON HOLD] a', status: { slug: 'todo' } });
  const beside = () => view.dom.querySelector<HTMLElement>('.cm-check-tick')?.title;
  const chip = () => view.dom.querySelector('.cm-chip-status')?.textContent;
  expect(beside()).toMatch(/^To Do/);
  view.dispatch({ selection: { anchor: view.state.doc.length } }, setStatuses(statuses));
  expect(row()).toMatchObject({ text: 'a', status: { slug: 'on_hold' } });
  expect(beside()).toMatch(/^ON HOLD/);
  expect(chip()).toBe('ON HOLD');
  view.dispatch({ selection: { anchor: 4 } });
  expect(view.dom.querySelector('.cm-check-status-red')?.textContent).toBe('[ON HOLD]');
  const titles = () => offeredCommands(view.state).map(({ title }) => title);
  expect(titles()).toContain('Set status to ON HOLD');
  view.dispatch(setStatuses(builtIn));
  expect(row()).toMatchObject({ text: '[ON HOLD] a' });
  expect(beside()).toMatch(/^To Do/);
  expect(titles()).not.toContain('Set status to ON HOLD');
});

test('who may only read is offered what changes nothing', () => {
  const state = EditorState.create({ extensions: checklistEditor({ ...config, editable: false }) });
  const offered = offeredCommands(state).map(({ id }) => id);
  expect(offered).toContain('find');
  expect(offered).toContain('foldAll');
  expect(offered).not.toContain('toggleDone');
  expect(offered).not.toContain('replace');
  expect(offered).not.toContain('save');
});
