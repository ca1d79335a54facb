import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/bridge/bridge.ts';
import { failures } from '../../../src/domain/messages.ts';
import { storageKey } from '../../../src/domain/storage.ts';
import { Tip } from '../../../src/ui/shell/plain-pages.tsx';
import { json } from '../fakes.ts';
import { fakeIssue, show } from '../issue.tsx';

const key = storageKey('hide-notice');
const hide = { name: 'Don’t show again' };

/** An issue whose tracker stores which tips a user has hidden, or refuses to. */
function person(first: Json = [], keeps = true) {
  const issue = fakeIssue('');
  const kept = { value: first };
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init = {}) => {
    if (!path.includes('/user/properties')) return request(path, init);
    if (init.method === 'PUT') {
      if (!keeps) return { status: 403, text: 'no' };
      kept.value = init.json as Json;
      return { status: 200, text: '' };
    }
    return path.endsWith('/properties') ? json({ keys: [{ key }] }) : json({ key, value: kept.value });
  };
  return { issue, kept };
}

const notices = (
  <>
    <Tip name="one">First words</Tip>
    <Tip name="two">Other words</Tip>
  </>
);

test('a hidden tip disappears at once and for good, the other one stays', async () => {
  const { issue, kept } = person(['other']);
  await show(issue, notices, {});
  expect(await screen.findByRole('note', { name: 'First words' })).toBeVisible();
  await userEvent.click(screen.getAllByRole('button', hide)[0] as HTMLElement);
  expect(screen.queryByText('First words')).toBeNull();
  expect(screen.getByText('Other words')).toBeVisible();
  await waitFor(() => expect(kept.value).toEqual(['other', 'one']));
});

test('a tip hidden before does not show', async () => {
  await show(person(['one']).issue, notices, {});
  expect(await screen.findByText('Other words')).toBeVisible();
  expect(screen.queryByText('First words')).toBeNull();
});

test('a tip shows again if the tracker does not store that it is hidden', async () => {
  const { issue } = person([], false);
  await show(issue, <Tip name="one">First words</Tip>, {});
  await userEvent.click(await screen.findByRole('button', hide));
  expect(await screen.findByText('First words')).toBeVisible();
  expect(issue.flags.at(-1)).toEqual({ title: failures.unknown, type: 'error' });
  expect(screen.getByRole('alert')).toHaveTextContent(failures.unknown);
});
