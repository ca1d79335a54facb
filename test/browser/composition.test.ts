import type { CDPSession, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { dialog, hasFocus, panel, people, type Site } from './site.ts';

/** Input methods: what is composed becomes text once, and its Enter is no command. */

const ISSUE = 'WEB-4';

let site: Site;
let emma: Page;
let devtools: CDPSession;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  devtools = await emma.context().newCDPSession(emma);
});

beforeEach(() => writeChecklist(site.programs, emma, ISSUE, '- one'));

const stored = async () => (await storedChecklist(site.programs, emma, ISSUE)).text;

/** Composes in these steps, as the keyboard's input method does, and takes the last. */
async function compose(...steps: string[]): Promise<void> {
  for (const text of steps)
    await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await devtools.send('Input.insertText', { text: steps.at(-1) ?? '' });
}

const inputs: [string, string[]][] = [
  ['Japanese', ['に', 'にほ', 'にほん', '日本']],
  ['Korean', ['ㅎ', '하', '한']],
  ['Chinese', ['zhong', 'zhong wen', '中文']],
  ['an Android keyboard', ['w', 'wo', 'wor', 'word']],
];

test.each(inputs)('%s goes into a new item, a row and the editor', async (_name, steps) => {
  const text = steps.at(-1);
  await site.openLoaded(emma, ISSUE);
  const field = panel(emma).getByRole('textbox', { name: 'Add an item' });
  await field.click();
  await compose(...steps);
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe(`- one\n- ${text}`);
  await panel(emma).getByText('one', { exact: true }).click();
  await hasFocus(panel(emma).getByRole('textbox', { name: 'Text of one' }));
  await compose(...steps);
  await emma.keyboard.press('Enter');
  await expect.poll(stored).toBe(`- one${text}\n- ${text}`);
  const editor = await site.openEditor(emma, ISSUE);
  await emma.keyboard.press('Control+End');
  await compose(...steps);
  await expect.poll(() => editor.innerText()).toContain(`${text}${text}`);
  await emma.keyboard.press('Control+s');
  await expect.poll(stored).toBe(`- one${text}\n- ${text}${text}`);
  await dialog(emma).getByRole('button', { name: 'Close' }).first().click();
});
