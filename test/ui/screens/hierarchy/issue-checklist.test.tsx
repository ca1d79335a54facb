import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TreeIssue } from '../../../../src/client/hierarchy/issue.ts';
import { TreeChecklist } from '../../../../src/ui/screens/hierarchy/issue-checklist.tsx';
import { fakeIssue, show } from '../../issue.tsx';

const permissions = {
  canAddChecklistItems: true,
  canChangeItemStatuses: true,
  canDeleteChecklistItems: true,
  canEditChecklist: true,
  canImportTemplate: true,
};
const issue: TreeIssue = {
  ...{ id: '1', key: 'ABC-1', link: '/browse/ABC-1', name: 'A plan', type: 'Task', subtask: false, projectId: '9' },
  status: { title: 'Open', color: 'green', lozenge: 'success', icon: '/task.png' },
  ...{ assignee: undefined, priority: undefined, parent: undefined, links: [] },
};

test('a checklist in the tree reports whether it has unsaved input', async () => {
  const busy: boolean[] = [];
  const nothing = () => undefined;
  const handlers = { onCounts: nothing, onMade: nothing, onNeed: nothing, say: nothing };
  const onBusy = (id: string, now: boolean) => void (id === '1' && busy.push(now));
  const given = fakeIssue('- a\n');
  const { unmount } = await show(
    given,
    <TreeChecklist issue={issue} permissions={permissions} onBusy={onBusy} {...handlers} />,
  );
  const input = await screen.findByRole('textbox', { name: 'Add an item to ABC-1' });
  expect(busy.at(-1)).toBe(false);
  fireEvent.change(input, { target: { value: 'new' } });
  await waitFor(() => expect(busy.at(-1)).toBe(true));
  fireEvent.change(input, { target: { value: '' } });
  await waitFor(() => expect(busy.at(-1)).toBe(false));
  // Also while a change is pending.
  busy.length = 0;
  fireEvent.click(screen.getByRole('checkbox', { name: /^a/ }));
  await waitFor(() => expect(given.stored.text).toBe('+ a\n'));
  await waitFor(() => expect(busy).toEqual([true, false]));
  unmount();
  expect(busy.at(-1)).toBe(false);
});
