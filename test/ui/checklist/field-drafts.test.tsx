import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { whole } from '../../../src/domain/messages.ts';
import { endPage, storedTexts } from '../ended-page.ts';
import { box, choose, field, open, stored } from './row/opened-row.tsx';

/** Reloads the page; its last scripts did not run. */
async function reload(text: string) {
  await endPage();
  return open(text);
}

/** Reloads a page on which it is not known yet which drafts are of closed pages. Returns the function that answers. */
async function reloadEarly(text: string) {
  await endPage();
  let answer = (): void => undefined;
  const answered = new Promise<void>(resolve => {
    answer = resolve;
  });
  const request = async (...given: readonly unknown[]) => {
    const run = given.at(-1);
    return typeof run === 'function' ? run({}) : undefined;
  };
  const query = () => answered.then(() => ({ held: [] }));
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request, query } });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'));
  return { issue: await open(text), answerQuery: () => act(async () => answer()) };
}

async function edit(name: string) {
  await waitFor(() => expect(box(name)).toBeEnabled());
  box(name).focus();
  await userEvent.keyboard('{F2}');
  const text = await field(`Text of ${name}`);
  await waitFor(() => expect(text).toHaveFocus());
  return text;
}

test('what is typed in a row’s field is there again after the page was ended without an event', async () => {
  await open('- one\n- two\n');
  await edit('one');
  await userEvent.keyboard(' half');
  await waitFor(() => expect(storedTexts()).toContain('one half'));
  const issue = await reload('- one\n- two\n');
  expect(await edit('two')).toHaveTextContent('two');
  await userEvent.keyboard('{Escape}');
  const text = await edit('one');
  await waitFor(() => expect(text).toHaveTextContent('one half'));
  expect(screen.getByText('Your unsaved changes have been restored. Esc discards them.')).toBeVisible();
  await userEvent.keyboard(' way{Enter}');
  await stored(issue, '- one half way\n- two');
  expect(storedTexts()).not.toContain('one half');
});

test('a restored new item names its people, as it did before the reload', async () => {
  await open('- one\n');
  await userEvent.click(await field('Add an item'));
  await userEvent.paste('ask [~accountid:alice]');
  await waitFor(() => expect(storedTexts()).toContain('ask [~accountid:alice]'));
  await reload('- one\n');
  await waitFor(async () => expect((await field('Add an item')).querySelector('.cm-chip-person')).not.toBeNull());
});

test('after a reload the row says that an unsaved text waits, which is opened or discarded there', async () => {
  const both = async () => {
    await open('- one\n- two\n');
    await edit('one');
    await userEvent.keyboard(' half');
    await waitFor(() => expect(storedTexts()).toContain('one half'));
    await reload('- one\n- two\n');
    const note = await screen.findByText('Unsaved text: “one half”');
    expect(note.closest('li')).toContainElement(box('one'));
  };
  await both();
  await userEvent.click(screen.getByRole('button', { name: 'Open the unsaved text of one' }));
  await waitFor(async () => expect(await field('Text of one')).toHaveTextContent('one half'));
  expect(screen.queryByText(/^Unsaved text/)).toBeNull();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(storedTexts()).not.toContain('half'));
  expect(screen.queryByText(/^Unsaved text/)).toBeNull();
  cleanup();
  await both();
  await userEvent.click(screen.getByRole('button', { name: 'Discard the unsaved text of one' }));
  await waitFor(() => expect(screen.queryByText(/^Unsaved text/)).toBeNull());
  expect(storedTexts()).not.toContain('half');
  expect(box('one')).toHaveFocus();
});

test('after a reload the row says that an unsaved new item waits below it, which is opened or discarded there', async () => {
  const both = async (changed = '- one\n- two\n') => {
    await open('- one\n- two\n');
    await choose('one', 'Add item below');
    await userEvent.type(await field('New item below one'), 'ask [[~accountid:alice]');
    await waitFor(() => expect(storedTexts()).toContain('ask [~accountid:alice]'));
    const issue = await reload(changed);
    await screen.findByText(/^Unsaved new item: “ask @/);
    return issue;
  };
  const issue = await both();
  expect(screen.getByText(/^Unsaved new item/).closest('li')).toContainElement(box('one'));
  await userEvent.click(screen.getByRole('button', { name: 'Open the unsaved new item below one' }));
  await waitFor(async () => expect(await field('New item below one')).toHaveFocus());
  await waitFor(async () =>
    expect((await field('New item below one')).querySelector('.cm-chip-person')).not.toBeNull(),
  );
  expect(screen.queryByText(/^Unsaved new item/)).toBeNull();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one\n- ask [~accountid:alice]\n- two');
  cleanup();
  await both();
  await userEvent.click(screen.getByRole('button', { name: 'Discard the unsaved new item below one' }));
  await waitFor(() => expect(screen.queryByText(/^Unsaved new item/)).toBeNull());
  expect(storedTexts()).not.toContain('ask');
  cleanup();
  // Its row was deleted elsewhere: it is offered below the last one.
  const other = await both('- two\n');
  await userEvent.click(screen.getByRole('button', { name: 'Open the unsaved new item below two' }));
  await waitFor(async () => expect(await field('New item below two')).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await stored(other, '- two\n- ask [~accountid:alice]');
});

test('a restored text is discarded by Escape, and saved by leaving the field', async () => {
  await open('- one\n- two\n');
  await edit('one');
  await userEvent.keyboard(' half');
  await waitFor(() => expect(storedTexts()).toContain('one half'));
  const issue = await reload('- one\n- two\n');
  const text = await edit('one');
  await waitFor(() => expect(text).toHaveTextContent('one half'));
  await userEvent.keyboard('{Escape}');
  expect(await edit('one')).toHaveTextContent(/^one$/);
  await userEvent.keyboard(' more');
  await act(async () => box('two').focus());
  await stored(issue, '- one more\n- two');
  expect(storedTexts()).not.toContain('half');
});

test('a change by another user while the text waits keeps it with its row', async () => {
  const issue = await open('- one\n- two\n');
  await edit('one');
  await userEvent.keyboard(' half');
  await waitFor(() => expect(storedTexts()).toContain('one half'));
  issue.write('- one!\n- two\n');
  await act(async () => window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(storedTexts()).toContain('one!'));
  await reload('- one!\n- two\n');
  const text = await edit('one!');
  await waitFor(() => expect(text).toHaveTextContent('half'));
});

test('typed details are there again', async () => {
  await open('- one\n');
  await choose('one', 'Add details');
  await waitFor(async () => expect(await field('Details of one')).toHaveFocus());
  await userEvent.keyboard('first{Enter}second');
  await waitFor(() => expect(storedTexts()).toContain('second'));
  const issue = await reload('- one\n');
  await choose('one', 'Add details');
  await waitFor(async () => expect(await field('Details of one')).toHaveTextContent('firstsecond'));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await stored(issue, '- one\n> first\n> second');
});

test('what stands in “Add an item” is there again until it is added', async () => {
  await open('- one\n');
  await userEvent.type(await field('Add an item'), 'half an item');
  await waitFor(() => expect(storedTexts()).toContain('half an item'));
  const issue = await reload('- one\n');
  await waitFor(async () => expect(await field('Add an item')).toHaveValue('half an item'));
  await userEvent.type(await field('Add an item'), '{Enter}');
  await stored(issue, '- one\n- half an item');
  await reload('- one\n- half an item\n');
  await act(async () => undefined);
  expect(await field('Add an item')).toHaveValue('');
  expect(storedTexts()).not.toContain('half an item');
});

test('keys that are pressed before a row’s unsaved text is known are added to it', async () => {
  await open('- one\n- two\n');
  await edit('one');
  await userEvent.keyboard(' half');
  await waitFor(() => expect(storedTexts()).toContain('one half'));
  const { issue, answerQuery } = await reloadEarly('- one\n- two\n');
  await waitFor(() => expect(box('one')).toBeEnabled());
  box('one').focus();
  await userEvent.keyboard('{F2} way');
  expect(storedTexts()).toContain('one half');
  await answerQuery();
  const text = await field('Text of one');
  await waitFor(() => expect(text).toHaveTextContent('one half way'));
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one half way\n- two');
});

test('what is typed in “Add an item” before an older text is known is joined with it', async () => {
  await open('- one\n');
  await userEvent.type(await field('Add an item'), 'half an item');
  await waitFor(() => expect(storedTexts()).toContain('half an item'));
  const { issue, answerQuery } = await reloadEarly('- one\n');
  await userEvent.type(await field('Add an item'), 'and more');
  await answerQuery();
  await waitFor(async () => expect(await field('Add an item')).toHaveValue('half an item\nand more'));
  await waitFor(() => expect(storedTexts()).toContain('and more'));
  await userEvent.type(await field('Add an item'), '{Enter}');
  await stored(issue, '- one\n- half an item\n- and more');
  expect(storedTexts()).not.toContain('half an item');
});

test('an older text comes back after an item that was added before it was known', async () => {
  await open('- one\n');
  await userEvent.type(await field('Add an item'), 'half an item');
  await waitFor(() => expect(storedTexts()).toContain('half an item'));
  const { issue, answerQuery } = await reloadEarly('- one\n');
  await userEvent.type(await field('Add an item'), 'quick{Enter}');
  await stored(issue, '- one\n- quick');
  await answerQuery();
  await waitFor(async () => expect(await field('Add an item')).toHaveValue('half an item'));
});

test('an older text waits for the end of a composition', async () => {
  await open('- one\n');
  await userEvent.type(await field('Add an item'), 'half an item');
  await waitFor(() => expect(storedTexts()).toContain('half an item'));
  const { answerQuery } = await reloadEarly('- one\n');
  const input = await field('Add an item');
  fireEvent.compositionStart(input);
  fireEvent.input(input, { target: { value: 'に' }, isComposing: true });
  await answerQuery();
  expect(input).toHaveValue('に');
  fireEvent.input(input, { target: { value: '日本' }, isComposing: true });
  fireEvent.compositionEnd(input);
  await waitFor(() => expect(input).toHaveValue('half an item\n日本'));
});

test('a browser that stores nothing says so below the field', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  onTestFinished(() => full.mockRestore());
  await open('- one\n');
  expect(screen.queryByText(whole.draftNotKept)).toBeNull();
  await userEvent.type(await field('Add an item'), 'half');
  expect(await screen.findByText(whole.draftNotKept)).toBeVisible();
  cleanup();
  await open('- one\n');
  await edit('one');
  await userEvent.keyboard('!');
  expect(await screen.findByText(whole.draftNotKept)).toBeVisible();
});
