import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Details } from '../../../../src/ui/checklist/row/row-content.tsx';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

/** The rows that React renders for a change: those that look different, and no others. */

const rendered = vi.hoisted(() => new Set<string>());

vi.mock('../../../../src/ui/checklist/row/row-content.tsx', async load => {
  const content = await load<typeof import('../../../../src/ui/checklist/row/row-content.tsx')>();
  // Part of every row, and not memoized.
  const counted: typeof Details = props => {
    rendered.add(props.row.text);
    return content.Details(props);
  };
  return { ...content, Details: counted };
});

beforeEach(() => rendered.clear());

async function tick(text: string, name: string) {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />);
  const box = await screen.findByRole('checkbox', { name });
  // The row that is the Tab stop.
  act(() => box.focus());
  await screen.findByRole('button', { name: `More actions for ${name}` });
  rendered.clear();
  fireEvent.click(box);
  await waitFor(() => expect(issue.stored.text).toContain(`+ ${name}`));
  await waitFor(() => expect(screen.queryByText('Saving…')).toBeNull());
  return [...rendered].sort();
}

test('a tick renders its row', async () => {
  expect(await tick('- a\n- b\n- c\n', 'b')).toEqual(['b']);
});

test('and the headers that count it', async () => {
  const text = '# One\n- a\n# Two\n- b\n## Within\n- c\n- d\n# Three\n- e\n';
  expect(await tick(text, 'c')).toEqual(['Two', 'Within', 'c']);
});
