import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

const answer = v.object({ data: v.record(v.string(), v.looseObject({})) });
const checklistShape = v.looseObject({ text: v.string() });

/** An issue whose server says the ids of rows: their first words. */
function issueWithIds(text: string): FakeIssue {
  const issue = fakeIssue(text);
  const { backend } = issue.bridge;
  const identified = (checklist: unknown) =>
    v.is(checklistShape, checklist)
      ? { ...checklist, rowIds: checklist.text.split('\n').flatMap(row => row.match(/^- (\w+)/)?.[1] ?? []) }
      : checklist;
  issue.bridge.backend = async (path, init) => {
    const response = await backend(path, init);
    const read = v.safeParse(answer, JSON.parse(response.text));
    if (!read.success) return response;
    const { checklist, changeChecklist, ...others } = read.output.data;
    return json({
      data: {
        ...others,
        ...(checklist && { checklist: identified(checklist) }),
        ...(changeChecklist && {
          changeChecklist: { ...changeChecklist, checklist: identified(changeChecklist.checklist) },
        }),
      },
    });
  };
  return issue;
}

const line = () => document.querySelector('.check-undo-words')?.textContent;

async function deleteTwo(issue: FakeIssue) {
  await import('../../../../src/ui/checklist/row/row-notes.tsx');
  await show(issue, <ChecklistPanel />);
  issue.write('- one\n- two\n- three!\n');
  await act(async () => window.dispatchEvent(new Event('visibilitychange')));
  await screen.findByText('three!');
  act(() => screen.getByRole('checkbox', { name: 'two' }).focus());
  await userEvent.keyboard('{Delete}');
  await waitFor(() => expect(line()).toBe('Deleted “two”'));
}

test('a deleted row that another user brings back is named in place of its deletion', async () => {
  const issue = issueWithIds('- one\n- two\n- three\n');
  await deleteTwo(issue);
  issue.write('- one\n- two words\n- three!\n');
  await act(async () => window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(line()).toBe('Someone else brought back “two words”.'));
});

test('a deleted row that the user brings back is not', async () => {
  const issue = issueWithIds('- one\n- two\n- three\n');
  await deleteTwo(issue);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(issue.stored.text).toContain('two'));
  await waitFor(() => expect(line()).toBe('Undone: Deleted “two”'));
});
