import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { use } from 'react';
import { expect, test, vi } from 'vitest';
import type { FieldProps } from '../../../../src/ui/checklist/row/text-field.tsx';
import { box, choose, field, open, stored } from './opened-row.tsx';

/** What is typed while the code of a row's field is loading. */

let end = (): void => undefined;
let loading: Promise<void>;
const startLoading = () => {
  loading = new Promise(resolve => {
    end = resolve;
  });
};
startLoading();

vi.mock('../../../../src/ui/checklist/row/text-field.tsx', async original => {
  const { default: Field } = await original<typeof import('../../../../src/ui/checklist/row/text-field.tsx')>();
  return {
    default: function LazyField(props: FieldProps) {
      use(loading);
      return <Field {...props} />;
    },
  };
});

/** Opens a checklist whose fields are not loaded. */
async function openHeld(text: string) {
  startLoading();
  return open(text);
}

/** Ends the loading. */
const release = () => act(async () => end());

const held = (name = 'Edit text') => screen.getByRole<HTMLTextAreaElement>('textbox', { name });

/** Every way into a row's field. */
const doors: [string, () => Promise<unknown>][] = [
  ['a click', () => userEvent.click(screen.getByText('one'))],
  ['F2', () => userEvent.keyboard('{F2}')],
  ['a letter', () => userEvent.keyboard('e')],
  ['the menu', () => choose('one', 'Edit')],
];

test.each(doors)(
  'after %s, text and caret of the plain field are those of the one that loads',
  async (_name, enter) => {
    const issue = await openHeld('- one\n- two\n');
    box('one').focus();
    await enter();
    expect(held()).toHaveFocus();
    await userEvent.keyboard(' ds/!{ArrowLeft}{ArrowLeft}');
    await release();
    const text = await field('Text of one');
    await waitFor(() => expect(text).toHaveFocus());
    expect(text.textContent).toBe('one ds/!');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'Edit text' })).toBeNull();
    await userEvent.keyboard('it{Enter}');
    await stored(issue, '- one dsit/!\n- two');
  },
);

test('Enter in the plain field saves what was typed', async () => {
  const issue = await openHeld('- one\n- two\n');
  box('one').focus();
  await userEvent.keyboard('{F2} more{Enter}');
  await release();
  await stored(issue, '- one more\n- two');
  await waitFor(() => expect(box('one more')).toHaveFocus());
});

test('Escape in the plain field discards what was typed', async () => {
  const issue = await openHeld('- one\n- two\n');
  box('one').focus();
  await userEvent.keyboard('{F2} more{Escape}');
  await release();
  expect(screen.queryByRole('textbox', { name: /one/ })).toBeNull();
  expect(box('one')).toHaveFocus();
  expect(issue.operations).toEqual([]);
});

test('a focus that leaves the plain field saves what was typed', async () => {
  const issue = await openHeld('- one\n- two\n');
  await userEvent.click(screen.getByText('one'));
  await userEvent.keyboard(' more');
  await act(async () => box('two').focus());
  await release();
  await stored(issue, '- one more\n- two');
  expect(box('two')).toHaveFocus();
});

test('details that are typed at once are those of the field', async () => {
  const issue = await openHeld('- one\n> a\n- two\n');
  box('one').focus();
  await userEvent.keyboard('>{Enter}b');
  await release();
  await waitFor(async () => expect(await field('Details of one')).toHaveFocus());
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await stored(issue, '- one\n> a\n> b\n- two');
});

test('Ctrl+Enter in plain details saves them', async () => {
  const issue = await openHeld('- one\n> a\n- two\n');
  box('one').focus();
  await userEvent.keyboard('>{Enter}b{Control>}{Enter}{/Control}c');
  await release();
  await stored(issue, '- one\n> a\n> b\n- two');
  await waitFor(() => expect(box('one')).toHaveFocus());
});

test('what is typed in the plain field is not left without a question', async () => {
  await openHeld('- one\n- two\n');
  await userEvent.click(screen.getByText('one'));
  const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(leaves()).toBe(true);
  await userEvent.keyboard(' more');
  expect(leaves()).toBe(false);
  await release();
  await waitFor(async () => expect(await field('Text of one')).toHaveTextContent('one more'));
  expect(leaves()).toBe(false);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(leaves()).toBe(true));
});

test('a word that is being composed stays in the plain field until it is complete', async () => {
  await openHeld('- one\n');
  await userEvent.click(screen.getByText('one'));
  fireEvent.compositionStart(held());
  await userEvent.keyboard('に');
  for (const key of ['Enter', 'Escape']) fireEvent.keyDown(held(), { key, isComposing: true });
  expect(held()).toHaveProperty('readOnly', false);
  await release();
  await field('Text of one');
  expect(held()).toHaveFocus();
  fireEvent.compositionEnd(held());
  await waitFor(async () => expect(await field('Text of one')).toHaveFocus());
  expect((await field('Text of one')).textContent).toBe('oneに');
  await userEvent.keyboard('{Escape}');
});

test('another user’s words and the typed ones are joined', async () => {
  const issue = await openHeld('- one\n- two\n');
  await userEvent.click(screen.getByText('one'));
  await userEvent.keyboard(' more');
  issue.write('- only one\n- two\n');
  await act(async () => void window.dispatchEvent(new Event('online')));
  await screen.findByText('only one', { ignore: 'textarea' });
  await release();
  await waitFor(async () => expect(await field('Text of only one')).toHaveTextContent('only one more'));
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- only one more\n- two');
});
