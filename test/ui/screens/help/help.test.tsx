import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { enforcement } from '../../../../src/domain/messages.ts';
import { storageKey } from '../../../../src/domain/storage.ts';
import { searchAliases } from '../../../../src/platform/product.ts';
import { diagnose } from '../../../../src/text/diagnose.ts';
import { readChecklist } from '../../../../src/text/read.ts';
import { statusRegistry } from '../../../../src/text/status-registry.ts';
import { guide } from '../../../../src/ui/screens/help/guide.ts';
import { Help } from '../../../../src/ui/screens/help/help-screen.tsx';
import { queriesFor, searchNames } from '../../../../src/ui/screens/help/queries.ts';
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

/** Opens a part of the help in project WEB, whose issues have these statuses. */
async function open(name: string, { statuses = [] as string[], user = {} } = {}) {
  const { issue } = reader();
  const { request } = issue.bridge;
  const projectKey = 'WEB';
  issue.bridge.context = async () => ({ surface: 'issue-context', projectKey });
  issue.bridge.request = async (path, init) =>
    path.endsWith('/statuses')
      ? json([{ id: '1', name: 'Story', statuses: statuses.map(status => ({ id: status, name: status })) }])
      : request(path, init);
  await show(issue, <Help />, user, { projectKey });
  await userEvent.click(part(name));
}

test('the names that help gives to search by are those that the app declares to the tracker', () => {
  expect(searchNames.map(({ name }) => name)).toEqual(searchAliases.map(({ alias }) => alias));
  const all = queriesFor({ projectKey: 'WEB', itemStatus: 'On hold', gate: 'Done' }).map(({ jql }) => jql);
  const used = new Set(all.flatMap(jql => jql.match(/checklist[A-Za-z]+/g) ?? []));
  for (const name of used) expect(searchAliases.map(({ alias }) => alias)).toContain(name);
  expect(used.size).toBeGreaterThan(6);
});

test('names of the site are strings of the query language, whatever they hold', () => {
  const names = { projectKey: 'AND', itemStatus: 'Say "no" \\ yes', gate: 'Ready, steady' };
  const all = queriesFor(names).map(({ jql }) => jql);
  for (const jql of all) expect(jql).toMatch(/^project = "AND" AND /);
  expect(all).toContainEqual('project = "AND" AND checklistStatus = "Say \\"no\\" \\\\ yes"');
  expect(all).toContainEqual('project = "AND" AND checklistGate = "Ready, steady"');
  for (const { jql } of queriesFor({ ...names, projectKey: undefined })) expect(jql).not.toContain('project');
});

test('a query for this project is copied by its button', async () => {
  const written: string[] = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: async (text: string) => void written.push(text) },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  await open('Search', { statuses: ['Backlog', 'In Review', 'Released'] });
  await screen.findByRole('heading', { name: 'Queries for project WEB' });
  await userEvent.click(await screen.findByRole('button', { name: 'Copy query: Open sections before Released' }));
  expect(written).toEqual(['project = "WEB" AND checklistGate = "Released"']);
  expect(screen.getByRole('button', { name: 'Copied query: Open sections before Released' })).toHaveFocus();
});

test('workflow rules are explained, with the way there for administrators, and whom to ask for others', async () => {
  await open('Workflow rules', { user: { canManageTemplates: true } });
  expect(screen.getByRole('link', { name: 'workflows of WEB' })).toHaveAttribute(
    'href',
    expect.stringContaining('WEB'),
  );
  expect(screen.queryByText(enforcement.askForRule)).toBeNull();
  cleanup();
  await open('Workflow rules');
  expect(screen.getByText(enforcement.askForRule)).toBeVisible();
  expect(screen.queryByRole('link', { name: /workflows/ })).toBeNull();
});
