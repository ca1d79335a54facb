import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { lazyComponent } from '../../../../src/ui/kit/lazy-component.tsx';
import { endPage, storedTexts } from '../../ended-page.ts';
import { box, field, open, stored } from './opened-row.tsx';

/** Typing in a row whose field's code fails to load. */

const code = vi.hoisted(() => ({ fails: true }));

vi.mock('../../../../src/ui/kit/lazy-component.tsx', async original => {
  const actual = await original<typeof import('../../../../src/ui/kit/lazy-component.tsx')>();
  const failing: typeof lazyComponent = (load, fallback) =>
    actual.lazyComponent(
      () => (code.fails && fallback?.name === 'NoField' ? Promise.reject(new Error('Not loaded.')) : load()),
      fallback,
    );
  return { ...actual, lazyComponent: failing };
});

const failure = () => screen.queryByText(/^We couldn't load the editor of this item\. What you type is kept/);

/** Opens a row's plain field by a key and types there, before and after the message. */
async function typeIn(key: string, words: string) {
  box('one').focus();
  await userEvent.keyboard(`${key}${words}`);
  await waitFor(() => expect(failure()).toBeVisible());
  await userEvent.keyboard(' Friday');
}

const isClosed = async () => {
  await waitFor(() => expect(failure()).toBeNull());
  expect(box('one')).toHaveFocus();
};

test('Escape discards it, and after Enter it is there once the code loads', async () => {
  await open('- one\n- two\n');
  await typeIn('e', ' gone');
  await userEvent.keyboard('{Escape}');
  await isClosed();
  await typeIn('e', ' by');
  await userEvent.keyboard('{Enter}');
  await isClosed();
  await waitFor(() => expect(storedTexts()).toContain('one by Friday'));
  await endPage();

  code.fails = false;
  const issue = await open('- one\n- two\n');
  await waitFor(() => expect(box('one')).toBeEnabled());
  box('one').focus();
  await userEvent.keyboard('e');
  const text = await field('Text of one');
  await waitFor(() => expect(text).toHaveTextContent('one by Friday'));
  expect(screen.getByText('Your unsaved changes have been restored. Esc discards them.')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await stored(issue, '- one by Friday\n- two');
});
