import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { paste as messages } from '../../../../src/domain/messages.ts';
import type { PastedItems } from '../../../../src/text/convert/clip.ts';
import { PasteReport } from '../../../../src/ui/checklist/add/paste-report.tsx';
import { fakeIssue, show } from '../../issue.tsx';

test('a notation that could not be read is refused, and can be tried again', async () => {
  const wiki: PastedItems = { text: '- a', report: '' };
  const read = vi
    .fn<() => Promise<PastedItems>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValueOnce(wiki);
  const pasted: PastedItems = {
    text: '- a',
    report: 'Pasted as Markdown.',
    readAs: { label: messages.readAs, choices: [{ title: 'Wiki', read }] },
  };
  const readAgain = vi.fn<(again: PastedItems) => void>();
  await show(fakeIssue(''), <PasteReport pasted={pasted} onReadAgain={readAgain} />);
  const button = await screen.findByRole('button', { name: 'Wiki' });
  await userEvent.click(button);
  expect(readAgain).toHaveBeenLastCalledWith({ text: '', report: '', refusal: messages.notReadAgain });
  await userEvent.click(button);
  expect(readAgain).toHaveBeenLastCalledWith(wiki);
});
