import { EditorState } from '@codemirror/state';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { HostRequest } from '../../../src/bridge/bridge.ts';
import { keyText } from '../../../src/editor/commands/keys.ts';
import { checklistEditor, editorCommands } from '../../../src/editor/index.ts';
import { keyHelp, listCommands, listKeys } from '../../../src/ui/checklist/list/list-commands.ts';
import { isOwnKey } from '../../../src/ui/checklist/list/list-dom.ts';
import { rowCommands } from '../../../src/ui/checklist/row/row-commands.ts';
import { barCommands } from '../../../src/ui/screens/panel/bar.tsx';
import { checklistCommands } from '../../../src/ui/screens/panel/checklist-actions/checklist-commands.ts';
import { toolCommands } from '../../../src/ui/screens/panel/checklist-actions/panel-tools.tsx';
import ChecklistPanel from '../../../src/ui/screens/panel/panel.tsx';
import { type FakeIssue, fakeIssue, show } from '../issue.tsx';

/** Every command: it is in the palette and at a control, its keys are its own and in the help, its event is sent. */

const ofList = Object.values(listCommands);
const ofPanel = [...rowCommands, ...ofList, ...barCommands, ...toolCommands, ...checklistCommands];
const ofEditor = EditorState.create({
  extensions: checklistEditor({ label: '', editable: true, placeholder: '', save: () => undefined }),
}).facet(editorCommands);

interface Listed {
  id: string;
  title: string;
  keys?: readonly (string | { key?: string; mac?: string })[];
  appliesTo?: string;
  group?: string;
  event?: unknown;
}

/** The table of commands, for `PRINT=1`. */
const printed = (name: string, commands: readonly Listed[]) =>
  [
    `${name}: id | title | keys | applies to | menu | event`,
    ...commands.map(({ id, title, keys = [], appliesTo = 'text', group = '', event }) =>
      [id, title, keys.map(key => keyText(key)).join(', '), appliesTo, group, event ? 'yes' : ''].join(' | '),
    ),
  ].join('\n');

if (process.env.PRINT)
  for (const [name, commands] of Object.entries({
    ...{ row: rowCommands, list: ofList, bar: barCommands, tools: toolCommands, checklist: checklistCommands },
    editor: ofEditor,
  }))
    process.stdout.write(`${printed(name, commands)}\n\n`);

test('no two commands of a panel have one id or one key', () => {
  const distinct = [...new Set(ofPanel)];
  expect(new Set(distinct.map(({ id }) => id)).size).toBe(distinct.length);
  const keys = distinct.flatMap(({ keys = [] }) => keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('every key of a command is in the help', () => {
  for (const { title, keys } of keyHelp(ofPanel)) expect(listKeys).toContainEqual({ title, keys });
});

test('every key of a command at a row is one that waits for the code of the commands, and no other letter', () => {
  const row = document.createElement('li');
  row.dataset.key = '1';
  const main = row.appendChild(document.createElement('button'));
  document.body.append(row);
  const isOwn = (key: string) => {
    const [name = '', modifier] = key.split('-').reverse();
    const event = new KeyboardEvent('keydown', { key: name, altKey: modifier === 'Alt', ctrlKey: modifier === 'Mod' });
    main.dispatchEvent(event);
    return isOwnKey(event as unknown as Parameters<typeof isOwnKey>[0]);
  };
  const keys = [...rowCommands, listCommands.search, listCommands.help].flatMap(({ keys = [] }) => keys);
  expect(keys.filter(key => !isOwn(key))).toEqual(['Space']);
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ!?/>'];
  expect(letters.filter(isOwn)).toEqual(letters.filter(letter => keys.includes(letter)));
  row.remove();
});

const everything = { canImportTemplate: true, canSaveTemplate: true, canManageTemplates: true };
const text = '- a\n- ! b\n> why\n+ c\n# One\n- d\n';
const box = (name: string) => screen.getByRole('checkbox', { name: new RegExp(`${name}$`) });
/** The names of the controls that match a selector: a query by role takes seconds for all of them. */
const names = (selector: string, root: ParentNode = document) =>
  [...root.querySelectorAll(selector)].map(each =>
    (each.getAttribute('aria-label') ?? each.textContent).replace(/New$/, ''),
  );
const palette = async () => {
  await userEvent.keyboard('{F1}');
  await screen.findByRole('combobox', { name: 'Commands' });
  const options = names('[role=option] > :first-child');
  await userEvent.keyboard('{Escape}');
  return options;
};

const openPanel = async (): Promise<FakeIssue> => {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />, everything);
  await screen.findByRole('button', { name: 'Checklist actions' });
  return issue;
};

/** The entries of the menu at a control. */
async function menuAt(label: string): Promise<string[]> {
  const control = await screen.findByLabelText(label);
  await userEvent.click(control);
  const shown = names('[role=menuitem]', await screen.findByRole('menu'));
  await userEvent.keyboard('{Escape}');
  return shown;
}

/** The controls of commands that are in no menu, by the commands' ids; the rows have one item ticked and one section. */
const controls: Record<string, string | RegExp> = {
  toggle: /^.*a$/,
  fold: 'Section One',
  unfold: 'Section One',
  selectAll: 'Select',
  clearSelection: 'Clear selection',
  undo: 'Undo',
  redo: 'Redo',
  filter: 'Filter',
  hideCompleted: 'Hide completed',
  collapseAll: 'Collapse all',
  expandAll: 'Expand all',
  select: 'Select',
  edit: 'Open editor',
};

test('every command of a panel is in the palette, and in a menu or at a control of its own', async () => {
  await openPanel();
  const shown = new Set<string>();
  const offered = new Set<string>();
  const add = (to: Set<string>, labels: readonly string[]) => {
    for (const label of labels) to.add(label);
  };
  /** The controls that are shown now. */
  const look = () => add(shown, names('button, input[type=checkbox]'));
  fireEvent.click(box('a'));
  await screen.findByRole('button', { name: 'Undo' });
  box('a').focus();
  add(offered, await palette());
  look();
  add(shown, await menuAt('More actions for a'));
  add(shown, await menuAt('More actions for b'));
  add(shown, await menuAt('More actions for One'));
  add(shown, await menuAt('Checklist actions'));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  box('b').focus();
  add(offered, await palette());
  look();
  const header = screen.getByRole('button', { name: 'Section One' });
  header.focus();
  add(offered, await palette());
  await userEvent.click(header);
  header.focus();
  add(offered, await palette());
  look();
  box('a').focus();
  await userEvent.keyboard('{Control>}a{/Control}');
  const bulk = await screen.findByRole('toolbar', { name: 'Selected items' });
  add(offered, await palette());
  add(shown, names('button', bulk));
  add(shown, await menuAt('More actions'));

  const labelsOf = (title: string, id: string) =>
    [title, ...(labels[id] ?? []), controls[id]].flatMap(each => (each instanceof RegExp ? [] : (each ?? [])));
  const isIn = (set: Set<string>, { id, title }: Listed) => labelsOf(title, id).some(label => set.has(label));
  // Copying acts on the selection, with a key of the browser's; the palette has the whole checklist's.
  const onlyInToolbar = ['optional', 'copy-text', 'copy-github'];
  const missing = (set: Set<string>, except: readonly string[]) =>
    ofPanel.filter(command => !isIn(set, command) && !except.includes(command.id)).map(({ id }) => id);
  // The palette does not offer itself; a short list has no search and no filter is set.
  expect(missing(offered, [...onlyInToolbar, 'palette', 'search', 'clearFilters'])).toEqual([]);
  expect(missing(shown, ['toggle', 'search', 'clearFilters'])).toEqual([]);
  expect(box('a')).toBeEnabled();
});

/** The names of commands that depend on the context. */
const labels: Record<string, readonly string[]> = {
  moveUp: ['Move up'],
  moveDown: ['Move down'],
  text: ['Edit'],
  details: ['Add details'],
  mandatory: ['Make mandatory'],
  customers: ['Show to customers'],
  add: ['Add item below'],
  delete: ['Delete'],
  help: ['Keyboard shortcuts'],
  palette: ['Commands…'],
  'Mute or unmute notifications': ['Mute notifications'],
  'Import from Issue Checklist': ['Import from Issue Checklist…'],
};

describe('events', () => {
  const track = (issue: FakeIssue) => {
    const sent: string[] = [];
    const { backend } = issue.bridge;
    issue.bridge.backend = (path: string, init?: HostRequest) => {
      const { eventType } = (init?.json ?? {}) as { eventType?: string };
      if (eventType !== undefined) sent.push(eventType);
      return backend(path, init);
    };
    return sent;
  };
  const item = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));
  const openMenu = async () => userEvent.click(await screen.findByRole('button', { name: 'More actions for a' }));
  const find = async (words: string) => {
    await userEvent.keyboard('{F1}');
    await screen.findByRole('combobox', { name: 'Commands' });
    await userEvent.keyboard(`${words}{Enter}`);
  };
  const press = async (key: string) => userEvent.keyboard(key);
  const button = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  const select = async () => {
    await userEvent.keyboard('{Control>}a{/Control}');
    await button('More actions');
  };

  const DETAILS = 'Add details clicked';
  const MANDATORY = 'Item made mandatory from issue view';
  const ASSIGNED = 'Assignee selected in checklist';
  test.each<[string, string, () => Promise<unknown>]>([
    [DETAILS, 'menu', async () => [await openMenu(), await item('Add details')]],
    [DETAILS, 'key', () => press('>')],
    [DETAILS, 'button', () => button('Add details of a')],
    [DETAILS, 'palette', () => find('add details')],
    [MANDATORY, 'menu', async () => [await openMenu(), await item('Make mandatory')]],
    [MANDATORY, 'key', () => press('!')],
    [MANDATORY, 'palette', () => find('make mandatory')],
    [MANDATORY, 'selection', async () => [await select(), await item('Make mandatory')]],
    [ASSIGNED, 'menu', async () => [await openMenu(), await item('Assign to me')]],
    [ASSIGNED, 'key', () => press('i')],
    [ASSIGNED, 'palette', () => find('assign to me')],
  ])('%s, by %s', async (event, _control, run) => {
    const issue = await openPanel();
    const sent = track(issue);
    box('a').focus();
    await run();
    await waitFor(() => expect(sent.filter(each => each === event)).toEqual([event]));
  });

  test('making an item optional sends none', async () => {
    const issue = await openPanel();
    const sent = track(issue);
    box('b').focus();
    await userEvent.keyboard('!');
    await waitFor(() => expect(issue.stored.text).toContain('- b'));
    expect(sent).not.toContain(MANDATORY);
  });

  test('every command with an event is tested', () => {
    expect(ofPanel.flatMap(({ id, event }) => (event ? [id] : []))).toEqual(['details', 'assignToMe', 'mandatory']);
  });
});
