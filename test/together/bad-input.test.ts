import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROPERTY_CAPACITY } from '../../src/domain/constants.ts';
import { endVirtualTime, pass, startVirtualTime, turn } from './clock.ts';
import type { EditorWindow } from './editor-window.ts';
import { arriveAll, type Collaboration, type Person, startCollaboration } from './people.ts';

beforeAll(startVirtualTime);
afterAll(endVirtualTime);

const HOUR = 3_600_000;
const ROUND = 6_000;

/** Characters. */
const LIMIT = PROPERTY_CAPACITY;

async function withTwo(use: (all: Collaboration, ana: Person, ben: Person) => Promise<void>): Promise<void> {
  const all = await startCollaboration({ people: 2, rows: 3, hasTrackerCopy: false });
  const [ana, ben] = all.people;
  if (!ana || !ben) throw new Error('There are two users.');
  await use(all, ana, ben);
  for (const { editor } of all.people) editor?.close();
  for (const { desk } of all.people) for (const frame of desk.frames) frame.close();
}

async function opened(all: Collaboration, person: Person) {
  const window = all.openEditor(person, false);
  await turn();
  await arriveAll(all, person.desk.person);
  const { opened } = window;
  if (!opened) throw new Error('The editor has no text.');
  return { ...opened, window };
}

type Opened = NonNullable<EditorWindow['opened']>;

const type = ({ view }: Opened, text: string, at: number) =>
  view.dispatch({
    changes: { from: at, insert: text },
    selection: { anchor: at + text.length },
    userEvent: 'input.type',
  });
/** Lets a user's requests and their answers arrive, and nothing of others. */
async function arrive(all: Collaboration, { desk }: Person): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await pass(ROUND);
    await arriveAll(all, desk.person);
  }
}

async function save(all: Collaboration, { saving }: Opened, person: Person): Promise<void> {
  void saving.save();
  await arrive(all, person);
}

const shown = ({ view }: Opened) => view.state.doc.toString();

test('a frame that was frozen for an hour keeps its words and its cursor, and sees what happened meanwhile', async () => {
  await withTwo(async (all, ana, ben) => {
    const editor = await opened(all, ana);
    type(editor, ' typed', shown(editor).indexOf('\n'));
    const other = await opened(all, ben);
    const [first = '', second = '', third = ''] = shown(other).split('\n');
    const theirs = `${third}\n${second} changed\n${first}\n`;
    other.view.dispatch({ changes: { from: 0, to: other.view.state.doc.length, insert: theirs }, userEvent: 'input' });
    await save(all, other, ben);
    expect(all.server.text()).toBe(theirs);
    await pass(HOUR);
    void editor.window.frame.store.refresh().catch(() => undefined);
    await arrive(all, ana);
    type(editor, ' on', editor.view.state.selection.main.head);
    const both = `${third}\n${second} changed\n${first} typed on\n`;
    expect(shown(editor)).toBe(both);
    await save(all, editor, ana);
    expect(all.server.text()).toBe(both);
  });
});

test('two editors that are closed with open choices: the history has both versions, each as a conflict', async () => {
  await withTwo(async (all, ana, ben) => {
    const [one, two] = [await opened(all, ana), await opened(all, ben)];
    const row = shown(one).split('\n')[1] ?? '';
    const says = (words: string) => `${row.slice(0, row.lastIndexOf(' '))} ${words}`;
    const reword = (editor: Opened, words: string) => {
      const text = shown(editor);
      const from = text.indexOf('\n') + 1;
      const to = text.indexOf('\n', from);
      editor.view.dispatch({ changes: { from, to, insert: says(words) }, userEvent: 'input' });
    };
    reword(one, 'of Ana');
    reword(two, 'of Ben');
    await save(all, two, ben);
    await arrive(all, ana);
    reword(two, 'of Ben, again');
    await save(all, one, ana);
    one.window.close();
    await arrive(all, ben);
    await save(all, two, ben);
    two.window.close();
    expect(all.server.text()).toContain(says('of Ben, again'));
    const conflicts = all.server.revisions.flatMap(revision =>
      revision.conflicts.map(each => ({ ...each, ...revision })),
    );
    expect(conflicts.map(({ account, mine, theirs }) => [account, mine, theirs])).toEqual([
      ['Ana', says('of Ana').slice(2), says('of Ben').slice(2)],
      ['Ben', says('of Ben, again').slice(2), says('of Ana').slice(2)],
    ]);
  });
});

test('two texts that fit each alone, but not together: the second one stays in its editor, which shows why', async () => {
  await withTwo(async (all, ana, ben) => {
    const [one, two] = [await opened(all, ana), await opened(all, ben)];
    const long = (name: string) => `- ${`${name} `.repeat(LIMIT / 2 / (name.length + 1))}\n`;
    type(one, long('first'), 0);
    type(two, long('second'), shown(two).length);
    await save(all, one, ana);
    await save(all, two, ben);
    expect(all.server.text()).toBe(shown(one));
    expect(shown(two)).toContain(long('second'));
    expect(two.saving.get()).toBe('unsaved');
    expect(two.window.notice).toMatchObject({ title: expect.stringMatching(/too long|too large/i) });

    const text = shown(two);
    const from = text.indexOf('second ') + 'second '.length;
    const to = text.lastIndexOf('\n');
    two.view.dispatch({ changes: { from, to }, userEvent: 'delete' });
    await save(all, two, ben);
    expect(all.server.text()).toContain('first first');
    expect(all.server.text()).toContain('- second \n');
  });
});
