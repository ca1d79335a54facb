import { expect, vi } from 'vitest';
import { random } from '../../../bench/random.ts';
import { seed } from '../../run/seed.ts';
import { graphql, session as signIn, storedChecklist } from '../api.ts';
import * as site from '../site.ts';
import { type Action, closeEditor, editorActions, editorRemovals } from './editor-actions.ts';
import type { Session } from './findings.ts';
import { panelActions, panelRemovals } from './panel-actions.ts';
import type { UserWindow } from './user-window.ts';

/** Runs a session of several windows, and checks it on the way and at its end. */

/** Steps between two reads of the stored text. */
const STORED = 4;

type Stored = () => Promise<string>;

/** Reads the stored text with one request each time. */
export async function storedText(around: site.Site, { page }: UserWindow, issue: string): Promise<Stored> {
  const { id } = await storedChecklist(around.programs, page, issue);
  const token = await signIn(around.programs, page, issue);
  const query = 'query ($id: ID!) { checklist(issueId: $id) { text } }';
  const read = async () => {
    const answer = await graphql(around.programs, page, token, query, { id });
    if (!answer.data?.checklist) throw new Error(`The checklist was not read: ${JSON.stringify(answer)}`);
    return String(answer.data.checklist.text);
  };
  // A server that has too much to do asks to try again.
  return () => vi.waitFor(read, { timeout: 30_000, interval: 500 });
}

const draw = (from: readonly (readonly [number, Action])[], pick: (below: number) => number): Action => {
  let left = pick(from.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, action] of from) {
    if (left < weight) return action;
    left -= weight;
  }
  throw new RangeError('There is no action.');
};

const openEditor: Action = async window => {
  await window.openEditor();
  return 'opens the editor';
};
const reload: Action = async window => {
  await window.reload();
  return 'reloads the page';
};

/** What a window does next; `editors` is how many have the text open. */
function next(window: UserWindow, { removes }: Session, editors: number, isOffline: boolean): Action {
  const { random, role } = window;
  const chance = random.int(100);
  if (!isOffline) {
    if (chance < 2) return reload;
    if (role === 'editor' && chance < (editors > 2 ? 10 : 5)) return closeEditor;
    if (role === 'panel' && editors < 2 && chance < 30) return openEditor;
  }
  const [usual, removals] = role === 'editor' ? [editorActions, editorRemovals] : [panelActions, panelRemovals];
  return draw(removes ? [...usual, ...removals] : usual, random.int);
}

/** Checks what all windows show, and now and then what is stored. */
async function check(windows: readonly UserWindow[], session: Session, stored: Stored): Promise<void> {
  const shown = await Promise.all(windows.map(window => window.rows()));
  for (const [index, window] of windows.entries()) {
    const rows = shown[index];
    if (rows) session.checkRows(`${window.role} of ${window.name}`, rows);
  }
  if (session.step % STORED > 0) return;
  session.stored(await stored());
}

async function act(window: UserWindow, session: Session, editors: number, isOffline: boolean): Promise<void> {
  const action = next(window, session, editors, isOffline);
  try {
    session.did(window, await action(window, session));
  } catch (error) {
    session.did(window, `could not: ${String(error).split('\n')[0]}`);
    await window.recover();
  }
}

/** Random steps of all windows, at times of two at once. */
export async function runSteps(
  windows: readonly UserWindow[],
  session: Session,
  stored: Stored,
  steps: number,
): Promise<void> {
  const { int, pick } = random(seed);
  let away: { window: UserWindow; until: number } | undefined;
  const isAway = ({ user }: UserWindow) => user === away?.window.user;
  while (session.step < steps) {
    if (away && away.until <= session.step) {
      await away.window.page.context().setOffline(false);
      session.did(away.window, 'is online again');
      away = undefined;
    }
    if (!away && int(60) === 0) {
      away = { window: pick(windows), until: session.step + 4 + int(8) };
      await away.window.page.context().setOffline(true);
      session.did(away.window, 'goes offline');
    }
    const first = pick(windows);
    const second = pick(windows);
    const editors = windows.filter(({ role }) => role === 'editor').length;
    const both = second !== first && int(3) === 0 ? [first, second] : [first];
    session.step += both.length;
    await Promise.all(both.map(window => act(window, session, editors, isAway(window))));
    await check(windows, session, stored);
  }
  await away?.window.page.context().setOffline(false);
}

const isSaved = async (window: UserWindow) =>
  /^Saved/.test((await site.dialog(window.page).locator('.editor-state').textContent()) ?? '');

/** Saves all that a window has: what is in an open field, in the open text, and in drafts of closed editors. */
async function saveAll(window: UserWindow): Promise<void> {
  if (window.role === 'panel' && (await window.field().count()) > 0) await window.field().press('Enter');
  for (let round = 0; round < 3; round++) {
    if (window.role === 'panel') await window.openEditor();
    const wasSaved = await isSaved(window);
    await window.page.keyboard.press('Control+s');
    await expect.poll(() => isSaved(window), { timeout: 20_000 }).toBe(true);
    if (wasSaved && round > 0) return;
    // Further texts of closed editors open one after the other.
    if (round < 2 && (await window.choices().count()) === 0) await window.closeEditor();
    else if (wasSaved) return;
  }
}

/** Saves everything, waits until all windows show the stored text, and looks for each word. */
export async function endSession(windows: readonly UserWindow[], session: Session, stored: Stored): Promise<void> {
  for (const window of windows) {
    try {
      await saveAll(window);
      session.did(window, 'has saved all');
      session.stored(await stored());
    } catch (error) {
      session.found('different', `${window.name} could not save: ${String(error).split('\n')[0]}`);
      await window.recover();
    }
  }
  const rowsOf = (text: string) => text.split('\n').filter(line => line.trim() !== '');
  const shown = async () => {
    const now = rowsOf(await stored());
    const all = await Promise.all(windows.map(async window => (await window.rows())?.filter(row => row.trim() !== '')));
    return windows.flatMap((window, index) => {
      const rows = window.role === 'editor' ? now : now.map(row => row.replace(/^\s*[-+~x] /, '').trim());
      const own = all[index]?.map(row => (window.role === 'editor' ? row : row.trim()));
      const wrong = rows.findIndex((row, at) => row !== own?.[at]);
      return wrong < 0 && rows.length === own?.length ? [] : `${window.name}: ${own?.[wrong]} for ${rows[wrong]}`;
    });
  };
  const different = await expect
    .poll(shown, { timeout: 30_000, interval: 500 })
    .toEqual([])
    .then(() => [])
    .catch(shown);
  for (const each of different) session.found('different', each);
  // The second look confirms what the first one has found.
  for (const _ of [1, 2]) {
    await check(windows, session, stored);
    session.stored(await stored());
  }
  const missing = async () => {
    const choices = await Promise.all(windows.map(window => window.choiceValues()));
    return session.missing(await stored(), choices.flat());
  };
  // Messages of the last saves arrive a little later.
  const left = await expect
    .poll(missing, { timeout: 10_000, interval: 500 })
    .toEqual([])
    .then(() => [])
    .catch(missing);
  for (const { text, window, step, storedAt } of left)
    session.found('missing', `"${text}" of ${window}, typed at ${step}, last stored at ${storedAt}`);
}
