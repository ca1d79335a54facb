import type { CDPSession, Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { full } from '../run/seed.ts';
import { storedChecklist, writeChecklist } from './api.ts';
import { onSite } from './fixture.ts';
import { showsRows } from './panel-row.ts';
import { dialog, hasFocus, panel, people, type Site } from './site.ts';

/** Input methods: what is composed or corrected becomes text once, and its Enter is no command. */

const ISSUE = 'WEB-4';

let site: Site;
let emma: Page;
let devtools: CDPSession;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor);
  await site.openLoaded(emma, ISSUE);
  devtools = await emma.context().newCDPSession(emma);
});

beforeEach(async () => {
  await writeChecklist(site.programs, emma, ISSUE, '- one');
  await showsRows(panel(emma), '- one');
});

/** Opens the editor with the cursor at the end of its text. */
async function openEditor(): Promise<Locator> {
  await panel(emma).getByRole('button', { name: 'Open editor' }).click();
  const text = dialog(emma).getByRole('textbox', { name: /as text/ });
  await hasFocus(text);
  await emma.keyboard.press('Control+End');
  return text;
}

async function closeEditor(): Promise<void> {
  await dialog(emma).getByRole('button', { name: 'Close' }).first().click();
  await emma.getByRole('dialog').waitFor({ state: 'detached' });
}

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

// The gate composes in one script.
test.each(full ? inputs : inputs.slice(0, 1))('%s goes into a new item, a row and the editor', async (_name, steps) => {
  const text = steps.at(-1);
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
  const editor = await openEditor();
  await compose(...steps);
  await expect.poll(() => editor.innerText()).toContain(`${text}${text}`);
  await emma.keyboard.press('Control+s');
  await expect.poll(stored).toBe(`- one${text}\n- ${text}${text}`);
  await closeEditor();
});

/** Replaces a word by another, as an Android keyboard does: the word becomes a composition. */
const correctAsAndroid = async (field: Locator, wrong: string, right: string): Promise<void> => {
  const isPlain = await field.evaluate(element => element instanceof HTMLTextAreaElement);
  const text = await (isPlain ? field.inputValue() : field.innerText());
  const replacementStart = text.lastIndexOf(wrong);
  const caret = { selectionStart: right.length, selectionEnd: right.length };
  const replaced = { replacementStart, replacementEnd: replacementStart + wrong.length };
  await devtools.send('Input.imeSetComposition', { text: right, ...caret, ...replaced });
  await devtools.send('Input.insertText', { text: right });
};

/** The same as an iPhone does it: the engine announces a replacement, changes the text and reports that. */
const correctAsPhone = (field: Locator, wrong: string, right: string): Promise<void> =>
  field.evaluate(
    (element, [wrong, right]) => {
      const options = { bubbles: true, composed: true, inputType: 'insertReplacementText', data: right };
      if (element instanceof HTMLTextAreaElement) {
        element.dispatchEvent(new InputEvent('beforeinput', { ...options, cancelable: true }));
        const at = element.value.lastIndexOf(wrong);
        element.setRangeText(right, at, at + wrong.length, 'end');
      } else {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        let found: Node | null = null;
        for (let node = texts.nextNode(); node; node = texts.nextNode())
          if (node.nodeValue?.includes(wrong)) found = node;
        if (!(found instanceof Text)) throw new Error(`No ${wrong}.`);
        const at = found.data.lastIndexOf(wrong);
        const range = new StaticRange({
          startContainer: found,
          startOffset: at,
          endContainer: found,
          endOffset: at + wrong.length,
        });
        const before = new InputEvent('beforeinput', { ...options, cancelable: true, targetRanges: [range] });
        if (!element.dispatchEvent(before)) return;
        found.replaceData(at, wrong.length, right);
        getSelection()?.collapse(found, at + right.length);
      }
      element.dispatchEvent(new InputEvent('input', options));
    },
    [wrong, right] as const,
  );

const corrections: [string, (field: Locator, wrong: string, right: string) => Promise<void>][] = [
  ['an Android keyboard', correctAsAndroid],
  ['an iPhone', correctAsPhone],
];

test.each(corrections)(
  'the autocorrect of %s replaces a word in a new item, a row and the editor',
  async (_name, correct) => {
    const field = panel(emma).getByRole('textbox', { name: 'Add an item' });
    await field.click();
    await emma.keyboard.type('buy teh');
    await correct(field, 'teh', 'the');
    await emma.keyboard.type(' milk');
    await emma.keyboard.press('Enter');
    await expect.poll(stored).toBe('- one\n- buy the milk');
    await panel(emma).getByText('one', { exact: true }).click();
    const row = panel(emma).getByRole('textbox', { name: 'Text of one' });
    await hasFocus(row);
    await emma.keyboard.type(' adn');
    await correct(row, 'adn', 'and');
    await emma.keyboard.type(' two');
    await emma.keyboard.press('Enter');
    await expect.poll(stored).toBe('- one and two\n- buy the milk');
    const editor = await openEditor();
    await emma.keyboard.type(' nad');
    await correct(editor, 'nad', 'and');
    await emma.keyboard.type(' tea');
    await expect.poll(() => editor.innerText()).toContain('buy the milk and tea');
    await emma.keyboard.press('Control+s');
    await expect.poll(stored).toBe('- one and two\n- buy the milk and tea');
    await closeEditor();
  },
);
