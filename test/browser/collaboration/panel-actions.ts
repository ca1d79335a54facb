import { expect } from 'vitest';
import * as site from '../site.ts';
import { type Action, choose, MANY_ROWS } from './editor-actions.ts';
import type { Session } from './findings.ts';
import type { UserWindow } from './user-window.ts';

/** What users do in the panel's rows, by keys and mouse. */

/** A row of the panel, by one of its words. */
async function pickRow(window: UserWindow, session: Session): Promise<{ row: string; word: string }> {
  const row = session.pickRow(await window.panelRows(), window.random);
  return { row, word: window.random.pick(session.words.in(row)) };
}

async function focusRow(window: UserWindow, session: Session): Promise<{ row: string; word: string }> {
  const picked = await pickRow(window, session);
  const box = window.box(picked.word).first();
  await box.focus();
  await site.hasFocus(box);
  return picked;
}

/** Whether what was typed shows, in the field or in a row. */
async function checkTyped(window: UserWindow, session: Session, word: string): Promise<void> {
  const shown = async () => {
    const fields = await site
      .panel(window.page)
      .getByRole('textbox')
      .evaluateAll(all => all.map(field => (field instanceof HTMLTextAreaElement ? field.value : field.textContent)));
    return [...(await window.panelRows()), ...fields].flatMap(text => session.words.in(text));
  };
  const isShown = await expect
    .poll(shown, { timeout: 10_000 })
    .toContain(word)
    .then(() => true)
    .catch(() => false);
  // A row that others delete before the first key takes no words: its note says so, and keys are no commands then.
  const isRowDeleted = (await site.panel(window.page).locator('.check-lost').count()) > 0;
  if (!isShown && isRowDeleted) session.words.remove([word], `deletion of its row at ${session.step}`);
  else if (!isShown) session.found('keys', `${window.name}: "${word}" does not show after typing in the panel`);
}

const tick: Action = async (window, session) => {
  const { row, word } = await pickRow(window, session);
  await window.box(word).first().click();
  return `ticks "${row}"`;
};

const rename: Action = async (window, session) => {
  const { row } = await focusRow(window, session);
  await window.page.keyboard.press('F2');
  await site.hasFocus(window.field());
  await window.page.keyboard.press('End');
  const word = session.words.create(window, session.step);
  await window.page.keyboard.type(` ${word}`);
  await checkTyped(window, session, word);
  await window.page.keyboard.press('Enter');
  return `renames "${row}" with "${word}"`;
};

const add: Action = async (window, session) => {
  if ((await window.panelRows()).length >= MANY_ROWS) return rename(window, session);
  await site.panel(window.page).getByRole('textbox', { name: 'Add an item' }).click();
  const word = session.words.create(window, session.step);
  await window.page.keyboard.type(word);
  await checkTyped(window, session, word);
  await window.page.keyboard.press('Enter');
  return `adds "${word}"`;
};

const move: Action = async (window, session) => {
  const { row } = await focusRow(window, session);
  const key = window.random.pick(['Alt+ArrowUp', 'Alt+ArrowDown']);
  const times = 1 + window.random.int(3);
  for (let i = 0; i < times; i++) await window.page.keyboard.press(key);
  return `${key} on "${row}", ${times} times`;
};

/** Deletes a row. What it shows as the key goes down is what the user has seen of it. */
const deleteRow: Action = async (window, session) => {
  const { word } = await focusRow(window, session);
  const shown = await window
    .row(word)
    .first()
    .evaluateHandle(element => {
      const seen = { text: '' };
      const note = () => (seen.text = element.querySelector('.check-text')?.textContent ?? '');
      element.addEventListener('keydown', note, { capture: true, once: true });
      return seen;
    });
  await window.page.keyboard.press('Delete');
  const { text } = await shown.jsonValue();
  session.words.remove(session.words.in(text), `deletion of ${window.name} at ${session.step}`);
  return `deletes "${text}"`;
};

const undo: Action = async (window, session) => {
  await focusRow(window, session);
  const before = (await window.panelRows()).join('\n');
  await window.page.keyboard.press('Control+z');
  const now = async () => (await window.panelRows()).join('\n');
  // There may be nothing to undo.
  await expect
    .poll(now, { timeout: 300 })
    .not.toBe(before)
    .catch(() => undefined);
  const left = new Set(session.words.in(await now()));
  const gone = session.words.in(before).filter(word => !left.has(word));
  session.words.remove(gone, `undo of ${window.name} at ${session.step}`);
  session.foreignUndone += gone.filter(word => session.words.get(word)?.window !== window.name).length;
  return `undoes, without [${gone.join(' ')}] now`;
};

export const panelActions: readonly (readonly [number, Action])[] = [
  [22, tick],
  [14, add],
  [30, rename],
  [24, move],
];

export const panelRemovals: readonly (readonly [number, Action])[] = [
  [5, deleteRow],
  [4, undo],
  [4, choose],
];
