import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { storageKey } from '../../../../src/domain/storage.ts';
import { diagnose } from '../../../../src/text/diagnose.ts';
import { readChecklist } from '../../../../src/text/read.ts';
import { statusRegistry } from '../../../../src/text/status-registry.ts';
import { guide } from '../../../../src/ui/screens/help/guide.ts';
import { Help } from '../../../../src/ui/screens/help/help-screen.tsx';
import { news } from '../../../../src/ui/shell/help/news.ts';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';

const KEY = storageKey('hide-notice');

/** A user whose tracker remembers which news they have seen. */
function reader(seen?: string[]) {
  const issue = fakeIssue('');
  const { request } = issue.bridge;
  const written: unknown[] = [];
  issue.bridge.request = async (path, init) => {
    if (!path.includes('/user/properties')) return request(path, init);
    if (init?.method === 'PUT') {
      written.push(init.json);
      return json({});
    }
    if (path.endsWith('/properties')) return json({ keys: seen ? [{ key: KEY }] : [] });
    return json({ key: KEY, value: seen });
  };
  return { issue, written };
}

const part = (name: string | RegExp) => screen.getByRole('button', { name });

test('the guide has an editor for each part of the notation', async () => {
  await show(reader().issue, <Help />);
  for (const { title } of guide) {
    await screen.findByRole('heading', { name: title });
    expect(screen.getByRole('textbox', { name: `Example: ${title}` })).toBeInTheDocument();
  }
});

test.each(guide.map(({ id, example, statuses }) => [id, example, statuses] as const))(
  'the example of %s shows rows, and no problem',
  (_, example, statuses) => {
    const checklist = readChecklist(example, statusRegistry(statuses));
    expect(checklist.rows.length).toBeGreaterThan(0);
    expect(diagnose(checklist).filter(({ code }) => code !== 'UNKNOWN_STATUS')).toEqual([]);
  },
);

test('the keys are those of the commands', async () => {
  await show(reader().issue, <Help />);
  await userEvent.click(part('Keys'));
  const keysOf = (what: string) => screen.getByText(what).closest('div')?.querySelector('dd')?.textContent;
  expect(keysOf('Mark as done or not done')).toBe('Ctrl+Enter');
  expect(keysOf('Commands and keys')).toBe('F1 or Ctrl+Shift+P');
  expect(keysOf('Save')).toBe('Ctrl+S');
  expect(keysOf('Add an item below, or in the section')).toBe('N');
  expect(screen.queryByText('Unassign')).toBeNull();
});

test('the keys are those of the editor that it was opened from', async () => {
  const command = { id: 'x', title: 'Something of the page', keys: [{ key: 'Mod-j' }], edits: false, run: () => true };
  await show(reader().issue, <Help commands={[command]} />);
  await userEvent.click(part('Keys'));
  expect(screen.getByText('Something of the page')).toBeInTheDocument();
  expect(screen.queryByText('Save')).toBeNull();
});

test('news is marked until it was seen, on every device', async () => {
  const { issue, written } = reader(['first steps']);
  await show(issue, <Help />);
  await userEvent.click(await screen.findByRole('button', { name: 'What’s new New' }));
  const [latest] = news;
  for (const { title } of latest.items) expect(screen.getByText(title)).toBeInTheDocument();
  await expect.poll(() => written).toEqual([['first steps', `news ${latest.id}`]]);
});

test('news that was seen is not marked again', async () => {
  const { issue, written } = reader([`news ${news[0].id}`]);
  await show(issue, <Help />);
  await screen.findByRole('heading', { name: guide[0]?.title ?? '' });
  await userEvent.click(part('What’s new'));
  expect(written).toEqual([]);
});

test('news has a distinct id for each version, and no version twice', () => {
  expect(new Set(news.map(({ id }) => id)).size).toBe(news.length);
  expect(new Set(news.map(({ version }) => version)).size).toBe(news.length);
});
