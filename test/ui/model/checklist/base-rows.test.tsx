import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { json } from '../../fakes.ts';
import { fakeIssue, show } from '../../issue.tsx';

interface Sent {
  operationName: string;
  variables: { input?: { base: { text?: string; rows?: string[] } } };
}

test('a rewording names the rows as they stand after a move that is not stored yet', async () => {
  const issue = fakeIssue('- one\n- two\n- three\n');
  const { backend } = issue.bridge;
  const bases: object[] = [];
  issue.bridge.backend = async (path, init = {}) => {
    const { operationName, variables } = init.json as unknown as Sent;
    const base = variables.input?.base;
    if (!base) {
      const answer = await backend(path, init);
      const { data } = JSON.parse(answer.text);
      return json({ data: { ...data, checklist: { ...data.checklist, rowIds: ['1', '2', '3'] } } });
    }
    if (operationName !== 'updateChecklistItem') return backend(path, init);
    bases.push(base);
    if (base.text !== undefined) return backend(path, init);
    const refused = { checklist: null, conflicts: [], notices: [] };
    const errors = [{ code: 'BASE_UNKNOWN', field: 'base', message: 'Unknown.' }];
    return json({ data: { changeChecklist: { ...refused, errors } } });
  };
  await show(issue, <ChecklistPanel />);
  const release = issue.hold();
  screen.getByRole('checkbox', { name: 'one' }).focus();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  screen.getByRole('checkbox', { name: 'two' }).focus();
  await userEvent.keyboard('{F2}');
  const field = await screen.findByRole('textbox', { name: 'Text of two' });
  await waitFor(() => expect(field).toHaveFocus());
  await userEvent.keyboard(' more{Enter}');
  release();
  await waitFor(() => expect(bases[1]).toMatchObject({ text: '- two\n- one\n- three\n', rows: ['2', '1', '3'] }));
});
