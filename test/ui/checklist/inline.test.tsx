import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ChecklistPanel } from '../../../src/ui/checklist/panel.tsx';
import { fakeIssue, show } from '../issue.tsx';

const words = () => screen.getByRole('list').querySelector('.check-text');

test('emphasis and code are shown without their markup', async () => {
  await show(fakeIssue('- **bold** *it* ~~old~~ `x*y`'), <ChecklistPanel />);
  expect(words()).toHaveTextContent('bold it old x*y');
  expect(words()?.innerHTML).toMatch(/<strong>bold<\/strong> <em>it<\/em> <s>old<\/s> <code[^>]*>x\*y<\/code>/);
});

test('links open beside the tracker and tell the other page nothing', async () => {
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

test('an unsafe address is no link', async () => {
  await show(fakeIssue('- [a](javascript:alert(1))'), <ChecklistPanel />);
  expect(screen.queryByRole('link')).toBeNull();
});

test('an issue key leads to its issue through the tracker', async () => {
  const issue = fakeIssue('- see ABC-12');
  await show(issue, <ChecklistPanel />);
  const link = screen.getByRole('link', { name: 'ABC-12' });
  await waitFor(() => expect(link).toHaveAttribute('href', 'https://site.example/browse/ABC-12'));
  await userEvent.click(link);
  expect(issue.left).toEqual(['/browse/ABC-12']);
});

test('people are shown by name, asked for in one call', async () => {
  const issue = fakeIssue('- [~accountid:a1] and [~accountid:b2]\n> also [~accountid:a1]');
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

test('a date bears its day for machines', async () => {
  await show(fakeIssue('- by 20/11/2026'), <ChecklistPanel />);
  expect(screen.getByText('20/11/2026')).toHaveAttribute('datetime', '2026-11-20');
});

test('details are behind a disclosure', async () => {
  await show(fakeIssue('- a\n> one\n> **two**'), <ChecklistPanel />);
  expect(screen.getByText('one')).not.toBeVisible();
  await userEvent.click(screen.getByText('2 details'));
  expect(screen.getByText('one')).toBeVisible();
  expect(screen.getByText('two').tagName).toBe('STRONG');
});

test('a header says how far its section is', async () => {
  await show(fakeIssue('# One\n- a\n+ b\n# Two\n- c\n'), <ChecklistPanel />);
  expect(screen.getByText('1/2')).toBeVisible();
  expect(screen.getByText('1 of 2 done', { selector: '.check-hidden' })).toBeInTheDocument();
  expect(screen.getByText('0/1')).toBeVisible();
});
