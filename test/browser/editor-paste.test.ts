import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import * as programs from '../editor/clipboard/payloads.ts';
import { axeFindings } from './axe.ts';
import { onSite } from './fixture.ts';
import { dialog, people, type Site, shots } from './site.ts';

/** Pasting, dropping and copying in a real browser, with the clipboard data of real programs. */

let site: Site;
let emma: Page;
let text: Locator;

onSite(async started => {
  site = started;
  emma = await site.visitor(people.editor, { permissions: ['clipboard-read', 'clipboard-write'] });

  text = await site.openEditor(emma, 'WEB-1');
});

interface Tile {
  view: { state: { doc: unknown } };
}

/** The document's text, regardless of its appearance. */
const documentText = () =>
  text.evaluate(element => {
    const { cmTile } = element as unknown as { cmTile: Tile & { root?: Tile } };
    return String((cmTile.root ?? cmTile).view.state.doc);
  });

const notice = () => dialog(emma).locator('.cm-paste-notice');

/** Replaces the text and puts the cursor at its end. */
async function write(content: string) {
  await text.press('Control+a');
  await emma.keyboard.press('Delete');
  if (content !== '') await emma.keyboard.insertText(content);
}

beforeEach(() => write(''));

/** Dispatches a paste or a drop with this data, as a browser does. */
const dispatchData = (
  data: { html?: string; text?: string; files?: { name: string; type: string; content: string }[] },
  type = 'paste',
) =>
  text.evaluate(
    (element, { html, text, files, type }) => {
      const transfer = new DataTransfer();
      if (html) transfer.setData('text/html', html);
      if (text) transfer.setData('text/plain', text);
      for (const file of files ?? []) transfer.items.add(new File([file.content], file.name, { type: file.type }));
      const line = element.querySelector('.cm-line')?.getBoundingClientRect();
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent('drop', {
              dataTransfer: transfer,
              bubbles: true,
              cancelable: true,
              clientX: (line?.right ?? 0) - 2,
              clientY: (line?.top ?? 0) + 4,
            });
      element.dispatchEvent(event);
    },
    { ...data, type },
  );

test('a list of Word becomes rows, and one undo removes it', async () => {
  await write('- before');
  await dispatchData(programs.word);
  const rows = [
    '## Release plan',
    '- Freeze the **main** branch',
    '- Tell the team',
    '- See [the notes](https://example.com/a%20b)',
    '+ Approved',
    '- Published',
  ];
  await expect.poll(() => documentText()).toBe(['- before', ...rows].join('\n'));
  await emma.keyboard.press('Control+z');
  await expect.poll(() => documentText()).toBe('- before');
});

test('a notice says what could not be kept, and replaces the paste with plain text', async () => {
  await write('- before');
  await dispatchData(programs.excel);
  await notice().getByRole('status').getByText('Pasted as 2 items.').waitFor();
  await notice().getByText("A column isn't kept.").waitFor();
  await shots(emma, dialog(emma), 'editor-paste-notice');
  expect(await axeFindings(dialog(emma).locator('.editor-screen'))).toEqual([]);
  await notice().getByRole('button', { name: 'Paste as plain text' }).click();
  await expect
    .poll(() => documentText())
    .toBe('- beforeTask\tDone\tDue date\tCost\nOrder chairs\tTRUE\t2026-12-01\t120\nPaint <walls>\tFALSE\t\t\n');
  await notice().waitFor({ state: 'detached' });
  await emma.keyboard.press('Control+z');
  await expect.poll(() => documentText()).toBe('- before');
});

test('the notice names the notation, and another one reads the pasted text again', async () => {
  await write('- before');
  await dispatchData({ text: '# Plan\n- [x] Fill in {{name}}\n- [ ] Send h2. by mail\n\nbq. later' });
  await notice().getByRole('status').getByText('Pasted as Wiki.').waitFor();
  await shots(emma, dialog(emma), 'editor-paste-read-as');
  const others = notice().getByRole('group', { name: 'Read as:' });
  await others.getByRole('button', { name: 'Markdown' }).click();
  await expect.poll(() => documentText()).toContain('# Plan\n+ Fill in {{name}}');
  await notice().getByRole('status').getByText('Pasted as Markdown.').waitFor();
  expect(await axeFindings(dialog(emma).locator('.editor-screen'))).toEqual([]);
  await emma.keyboard.press('Control+z');
  await expect.poll(() => documentText()).toBe('- before');
});

test('a text that is much longer than any checklist is refused, and the text stays', async () => {
  await write('- before');
  await dispatchData({ text: '- [ ] again\n'.repeat(20_000) });
  await notice()
    .getByText(/This is too much to paste/)
    .waitFor();
  await shots(emma, dialog(emma), 'editor-paste-refused');
  expect(await documentText()).toBe('- before');
});

test('a large list is read in slices, and goes to where it was pasted', async () => {
  await write('- before');
  const lines = Array.from({ length: 400 }, (_, i) => `- [x] item ${i} **bold**`);
  await dispatchData({ text: lines.join('\n') });
  await expect
    .poll(() => documentText())
    .toBe(['- before', ...lines.map(line => line.replace('- [x]', '+'))].join('\n'));
});

test('a pasted column of owners assigns the items of known people', async () => {
  await dispatchData({ text: 'Task\tOwner\nwash\tPavel Novak\ndry\tEve Unknown' });
  await expect.poll(() => documentText()).toMatch(/^- wash \[~accountid:\w+\]\n- dry\n> Assignee: Eve Unknown$/);
  await dialog(emma).getByText('1 item assigned.').first().waitFor();
  await shots(emma, dialog(emma), 'typing-owners');
  await emma.keyboard.press('Control+z');
  await expect.poll(() => documentText()).toBe('- wash\n> Assignee: Pavel Novak\n- dry\n> Assignee: Eve Unknown');
});

test('the notice closes with typing and with Escape, which does not reach the dialog', async () => {
  await dispatchData(programs.word);
  await notice().waitFor();
  await text.press('Escape');
  await notice().waitFor({ state: 'detached' });
  expect(await text.isVisible()).toBe(true);
  await dispatchData(programs.word);
  await notice().waitFor();
  await emma.keyboard.type('and much more words');
  await notice().waitFor({ state: 'detached' });
});

test('copied text is a list in other programs, and is unchanged when pasted back', async () => {
  const content = '# Head\n- a **b** <script>\n> d\n+ c  \n\nx y';
  await write(content);
  await text.press('Control+a');
  await emma.keyboard.press('Control+c');
  const copied = () =>
    emma.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      return item?.types.includes('text/html') ? (await item.getType('text/html')).text() : '';
    });
  await expect.poll(copied).toContain('<h1>Head</h1>');
  const html = await copied();
  expect(html).toContain('<strong>b</strong> &lt;script&gt;');
  expect(html.match(/type="checkbox"/g)).toHaveLength(3);
  await write('');
  await emma.keyboard.press('Control+v');
  await expect.poll(() => documentText()).toBe(content);
  expect(await notice().count()).toBe(0);
});

test('Ctrl+Shift+V pastes plain text', async () => {
  await emma.evaluate(async () => {
    const blob = (content: string, type: string) => new Blob([content], { type });
    await navigator.clipboard.write([
      new ClipboardItem({
        'text/html': blob('<ul><li>a</li><li>b</li></ul>', 'text/html'),
        'text/plain': blob('* a\n* b', 'text/plain'),
      }),
    ]);
  });
  await text.press('Control+Shift+v');
  await expect.poll(() => documentText()).toBe('* a\n* b');
  await write('');
  await text.press('Control+v');
  await expect.poll(() => documentText()).toBe('- a\n- b');
});

test('dropped text files are read, others are refused by name', async () => {
  await write('- before');
  await dispatchData(
    {
      files: [
        { name: 'list.md', type: 'text/markdown', content: '* [x] one\n* two' },
        { name: 'cells.csv', type: 'text/csv', content: 'task,done\nthree,yes\n' },
        { name: 'photo.png', type: 'image/png', content: '\x89PNG' },
        { name: 'fake.txt', type: 'text/plain', content: 'a\0b' },
      ],
    },
    'drop',
  );
  await expect.poll(() => documentText()).toBe('- before\n+ one\n- two\n+ three');
  await notice()
    .getByText(/Not added: photo.png, fake.txt/)
    .waitFor();
});

test('a paste of megabytes is refused at once with the figures', async () => {
  await write('- before');
  await dispatchData({ text: 'a line of words\n'.repeat(200_000) });
  await notice()
    .getByText(/This is too much to paste: 3,200,000 characters/)
    .waitFor();
  expect(await documentText()).toBe('- before');
});
