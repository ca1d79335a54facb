import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { isoDay } from '../../../../src/ui/model/today.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';

const words = () => screen.getByRole('list').querySelector('.check-text');

test('emphasis and code show without their markup', async () => {
  await show(fakeIssue('- **bold** *it* ~~old~~ `x*y`'), <ChecklistPanel />);
  expect(words()).toHaveTextContent('bold it old x*y');
  expect(words()?.innerHTML).toMatch(/<strong>bold<\/strong> <em>it<\/em> <s>old<\/s> <code[^>]*>x\*y<\/code>/);
});

test('links open in a new tab, without opener and referrer', async () => {
  await show(fakeIssue('- [the **docs**](https://docs.test/a) https://x.test/'), <ChecklistPanel />);
  const [docs, plain] = screen.getAllByRole('link');
  expect(docs).toHaveTextContent('the docs');
  expect(docs).toHaveAttribute('href', 'https://docs.test/a');
  expect(plain).toHaveAttribute('href', 'https://x.test/');
  for (const link of [docs, plain]) {
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  }
});

test('an unsafe address is not linked', async () => {
  await show(fakeIssue('- [a](javascript:alert(1))'), <ChecklistPanel />);
  expect(screen.queryByRole('link')).toBeNull();
});

test('an issue key links to its issue through the tracker', async () => {
  const issue = fakeIssue('- see ABC-12');
  await show(issue, <ChecklistPanel />);
  const link = screen.getByRole('link', { name: 'ABC-12' });
  await waitFor(() => expect(link).toHaveAttribute('href', 'https://site.example/browse/ABC-12'));
  // The chip with the issue's status loads later and replaces the link.
  await waitFor(async () => {
    await userEvent.click(screen.getByRole('link', { name: /^ABC-12/ }));
    expect(issue.navigations).toContain('/browse/ABC-12');
  });
});

test('people show by name, loaded with one request', async () => {
  const issue = fakeIssue('- [~accountid:a1] and [~accountid:b2] agree\n> also [~accountid:a1]');
  const { request } = issue.bridge;
  const bulk: unknown[] = [];
  issue.bridge.request = (path, init) => {
    if (path.endsWith('/user/bulk')) bulk.push(init?.query?.accountId);
    return request(path, init);
  };
  await show(issue, <ChecklistPanel />);
  const link = await screen.findByRole('link', { name: '@Person b2' });
  await waitFor(() => expect(link).toHaveAttribute('href', 'https://site.example/jira/people/b2'));
  expect(bulk).toEqual([['a1', 'b2']]);
});

test('a date shows in words, with a machine-readable day', async () => {
  await show(fakeIssue('- by 20/11/2199'), <ChecklistPanel />);
  const day = screen.getByText('Wed 20 Nov 2199');
  expect(day).toHaveAttribute('datetime', '2199-11-20');
  expect(day).toHaveAttribute('title', '20/11/2199');
});

test('a past or current day is marked on open items only', async () => {
  const today = isoDay(new Date());
  await show(
    fakeIssue(
      `- late, not 2001-01-01 but 2002-02-02 and so on 2003-03-03\n+ done 2003-03-03\n- now ${today}\n# on ${today}\n`,
    ),
    <ChecklistPanel />,
  );
  const days = [...document.querySelectorAll('time')].map(({ textContent }) => textContent);
  expect(days).toEqual([
    'Mon 1 Jan 2001',
    'Sat 2 Feb 2002',
    'Mon 3 Mar 2003 overdue',
    'Mon 3 Mar 2003',
    expect.stringMatching(/ today$/),
    expect.not.stringContaining('today'),
  ]);
});

test('a mention of an unknown account has no link', async () => {
  const issue = fakeIssue('- ask [~accountid:gone]');
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) =>
    path.endsWith('/user/bulk') ? json({ values: [] }) : request(path, init);
  await show(issue, <ChecklistPanel />);
  await screen.findByText('Unknown person');
  expect(screen.queryByRole('link')).toBeNull();
});

const summary = (key: string) =>
  json({
    id: '7',
    key,
    fields: {
      summary: `<b>Summary</b> of ${key}`,
      status: { name: 'In Progress', statusCategory: { colorName: 'yellow' } },
      issuetype: { iconUrl: 'https://site.example/story.svg' },
    },
  });

test('an issue shows its summary and status, loaded once', async () => {
  const issue = fakeIssue(
    '- see ABC-12 and https://site.example/browse/ABC-13 not https://other.example/browse/ABC-14\n- ABC-12',
  );
  const { request } = issue.bridge;
  const asked: string[] = [];
  issue.bridge.request = async (path, init) => {
    const [key] = /ABC-1\d/.exec(path) ?? [];
    if (!key) return request(path, init);
    asked.push(key);
    return summary(key);
  };
  await show(issue, <ChecklistPanel />);
  const [link] = await screen.findAllByRole('link', { name: /^ABC-12 <b>Summary<\/b> of ABC-12 In Progress$/ });
  await waitFor(() => expect(link).toHaveAttribute('href', 'https://site.example/browse/ABC-12'));
  await screen.findByRole('link', { name: /^ABC-13 .*Summary/ });
  expect(screen.getByRole('link', { name: 'https://other.example/browse/ABC-14' })).toBeVisible();
  expect(asked).toHaveLength(2);
  expect(new Set(asked)).toEqual(new Set(['ABC-12', 'ABC-13']));
});

test('an issue shows its priority as an icon with a name, and none where it has none', async () => {
  const issue = fakeIssue('- ABC-12\n- ABC-13');
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) => {
    const [key] = /ABC-1\d/.exec(path) ?? [];
    if (!key) return request(path, init);
    const answer = summary(key);
    if (key === 'ABC-13') return answer;
    const { fields } = JSON.parse(answer.text);
    const priority = { name: 'Highest', iconUrl: 'https://site.example/highest.svg' };
    return json({ id: '7', key, fields: { ...fields, priority } });
  };
  await show(issue, <ChecklistPanel />);
  const icon = await screen.findByRole('img', { name: 'Priority: Highest' });
  expect(icon).toHaveAttribute('src', 'https://site.example/highest.svg');
  expect(icon.closest('a')).toHaveAccessibleName(/^ABC-12 /);
  await screen.findByRole('link', { name: /^ABC-13 .*Summary/ });
  expect(screen.getAllByRole('img', { name: /^Priority/ })).toHaveLength(1);
});

test('a key of an unknown issue stays text', async () => {
  const issue = fakeIssue('- see ABC-99');
  const { request } = issue.bridge;
  issue.bridge.request = async (path, init) => (path.includes('ABC-99') ? json({}, 404) : request(path, init));
  await show(issue, <ChecklistPanel />);
  const link = await screen.findByRole('link', { name: 'ABC-99' });
  await waitFor(() => expect(link.closest('.check-issue')).toBeNull());
});

test('a shortcode becomes its emoji; an unknown one stays text', async () => {
  await show(fakeIssue('- ship :tada: :nosuchthing:'), <ChecklistPanel />);
  await waitFor(() => expect(words()).toHaveTextContent('ship 🎉 :nosuchthing:'));
});

test('details show their first line, and all of them on demand, with lists', async () => {
  await show(fakeIssue('- a\n> one\n> **two**\n> - x\n> - y\n> 3. z\n- b\n> short'), <ChecklistPanel />);
  expect(screen.getByText('one')).toBeVisible();
  const more = screen.getByRole('button', { name: /^Show more/ });
  expect(more).toHaveAccessibleName('Show more of a');
  await userEvent.click(more);
  expect(screen.getByRole('button', { name: 'Show less of a' })).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByText('two').tagName).toBe('STRONG');
  expect(screen.getByText('x').parentElement).toBe(screen.getByText('y').parentElement);
  expect(screen.getByText('z').parentElement?.tagName).toBe('OL');
  expect(screen.getByText('z')).toHaveAttribute('value', '3');
  expect(screen.getByText('short')).toBeVisible();
});

test('a header shows the progress of its section', async () => {
  await show(fakeIssue('# One\n- a\n+ b\n# Two\n- c\n'), <ChecklistPanel />);
  expect(screen.getByText('1/2')).toBeVisible();
  expect(screen.getByText('1 of 2 done', { selector: '.check-hidden' })).toBeInTheDocument();
  expect(screen.getByText('0/1')).toBeVisible();
});
