import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { failures } from '../../../../src/domain/messages.ts';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

const input = () => screen.findByRole('textbox', { name: 'Add an item' });

async function rich() {
  await waitFor(async () => expect(await input()).toHaveClass('cm-content'));
  return input();
}

test('a character that starts a completion turns the input into a small editor, which keeps the text and stays open', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(await input(), 'ask :tada');
  const editor = await rich();
  await waitFor(() => expect(editor).toHaveFocus());
  expect(editor).toHaveTextContent('ask :tada');
  await userEvent.keyboard('{Escape}{Enter}');
  await waitFor(() => expect(issue.stored.text).toBe('- a\n- ask :tada\n'));
  expect(await input()).toHaveFocus();
  expect(await input()).not.toHaveTextContent('ask');
});

test('a day in words at the end of the first item is offered, and Tab takes it', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(await input(), 'call the bank tomorrow');
  await waitFor(() => expect(document.querySelector('.cm-day-offer')).toBeInTheDocument(), { timeout: 5_000 });
  await userEvent.keyboard('{Tab}{Enter}');
  await waitFor(() => expect(issue.stored.text).toMatch(/^- a\n- call the bank \d{4}-\d{2}-\d{2}\n$/));
});

test('lines pasted behind words become items of their own', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(await input(), 'send the invoice');
  await userEvent.paste('- order cables\n- book room');
  await waitFor(() => expect(issue.stored.text.trimEnd()).toMatch(/send the invoice\n- order cables\n- book room$/));
});

test('the empty input says what can be typed while it has the focus', async () => {
  await show(fakeIssue('- a\n'), <ChecklistPanel />);
  const plain = await input();
  expect(plain).toHaveAttribute('placeholder', 'Add an item. # header, ! mandatory');
  await userEvent.click(plain);
  expect(plain).toHaveAttribute('placeholder', '@ people  // date  : emoji');
  await userEvent.tab();
  expect(plain).toHaveAttribute('placeholder', 'Add an item. # header, ! mandatory');
});

test('several lines pasted into the small editor become several items', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(await input(), '@');
  (await rich()).focus();
  await userEvent.paste('x\n- [x] y');
  await waitFor(() => expect(issue.stored.text.trimEnd()).toMatch(/x\n.*y$/));
});

test('what a paste lost is said below the input, until something is typed', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await input());
  await userEvent.paste('Action,Owner,Priority\nBook room,Ana,high\nOrder food,Ben,low');
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- Book room @Ana\n- Order food @Ben'));
  expect(
    await screen.findByText("Pasted as Table. A column isn't kept. (2 times) “Priority: high”, “Priority: low”"),
  ).toBeVisible();
  await userEvent.type(await input(), 'x');
  expect(screen.queryByText(/A column isn't kept/)).not.toBeInTheDocument();
});

test('a paste names its notation, and is read in another one in its place', async () => {
  const issue = fakeIssue('- first');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await input());
  await userEvent.paste('* (/) book room\n* order {{food}}');
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first\n+ book room\n- order `food`'));
  expect(await screen.findByText('Pasted as Wiki.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Text' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first\n- (/) book room\n- order {{food}}'));
  expect(await screen.findByText('Pasted as Text.')).toBeVisible();
  await userEvent.type(await input(), 'x');
  expect(screen.queryByRole('button', { name: 'Wiki' })).not.toBeInTheDocument();
});

test('a notation that is chosen with a double click reads the paste once', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await input());
  await userEvent.paste('* (/) book room\n* order {{food}}');
  const text = await screen.findByRole('button', { name: 'Text' });
  fireEvent.click(text);
  fireEvent.click(text);
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- (/) book room\n- order {{food}}'));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('+ book room\n- order `food`'));
});

test('undo of a paste that was read again brings back the first reading, and the next one takes it away', async () => {
  const issue = fakeIssue('- first');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await input());
  await userEvent.paste('* (/) book room\n* order {{food}}');
  await userEvent.click(await screen.findByRole('button', { name: 'Text' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first\n- (/) book room\n- order {{food}}'));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first\n+ book room\n- order `food`'));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- first'));
});

test('a paste that is much longer than any checklist is refused, and nothing of it is added', async () => {
  const issue = fakeIssue('- first');
  await show(issue, <ChecklistPanel />);
  await userEvent.click(await input());
  await userEvent.paste('- [ ] again\n'.repeat(20_000));
  expect(await screen.findByText(/This is too much to paste: .* characters/)).toBeVisible();
  expect(await input()).toHaveValue('');
  expect(issue.stored.text.trimEnd()).toBe('- first');
});

test('an image and a link that a paste of a page lost are said', async () => {
  const issue = fakeIssue('');
  await show(issue, <ChecklistPanel />);
  const data: Record<string, string> = {
    'text/html':
      '<ul><li>See <img src="https://e.com/plan.png" alt="plan"> and <a href="/rel">rel</a></li><li>b</li></ul>',
    'text/plain': 'See and rel\nb',
  };
  await userEvent.click(await input());
  fireEvent.paste(await input(), { clipboardData: { getData: (type: string) => data[type] ?? '' } });
  await waitFor(() => expect(issue.stored.text.trimEnd()).toBe('- See and rel\n- b'));
  expect(await screen.findByText(/An image isn't kept\..*A link keeps its text only\./)).toBeVisible();
});

test('items that could not be added are restored into the small editor', async () => {
  const issue = fakeIssue('- a\n');
  await show(issue, <ChecklistPanel />);
  await userEvent.type(await input(), 'b [[');
  await rich();
  issue.refuse = { code: 'UNKNOWN', message: failures.addItem };
  await userEvent.keyboard('{Escape}{Enter}');
  // The text shows as an offer until the editor has loaded and takes it.
  await waitFor(() => expect(screen.getByText(failures.addItem)).toBeVisible());
  await waitFor(async () => expect(await input()).toHaveTextContent('b ['));
});
