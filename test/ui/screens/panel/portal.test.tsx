import { act, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import Portal from '../../../../src/ui/screens/panel/portal.tsx';
import { fakeIssue, show } from '../../issue.tsx';
import { answer } from '../templates/server.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each(['SECTIONS', 'OFF'])('a line says to a customer that nothing is shared: %s', async mode => {
  const issue = fakeIssue('');
  answer(issue, { getPortalChecklist: () => ({ portalChecklist: { mode, text: '', statuses: [] } }) });
  await show(issue, <Portal issueId="1">{null}</Portal>);
  expect(await screen.findByText('No progress is shared for this request.')).toBeVisible();
});

test.each([503, 500, 429])(
  'a customer sees the checklist soon after reads that were answered with %i',
  async status => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const issue = fakeIssue('');
    const server: { answer: () => unknown } = { answer: () => status };
    const sent = answer(issue, { getPortalChecklist: () => server.answer() });
    await show(issue, <Portal issueId="1">{null}</Portal>);
    // The first read and its two repetitions.
    await act(() => vi.advanceTimersByTimeAsync(3_500));
    expect(sent.length).toBeGreaterThanOrEqual(3);
    server.answer = () => ({ portalChecklist: { mode: 'SECTIONS', text: '# Steps\n- Order', statuses: [] } });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText('Order')).toBeVisible();
  },
);
