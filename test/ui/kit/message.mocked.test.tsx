import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Message } from '../../../src/ui/kit/message.tsx';

vi.mock('../../../src/ui/kit/atlaskit-message.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

test('a message whose styles cannot be loaded still shows and works', async () => {
  const run = vi.fn();
  render(
    <Message appearance="warning" title="Unauthorized." actions={[{ label: 'Retry', run }]}>
      Contact support.
    </Message>,
  );
  await act(() => vi.dynamicImportSettled());
  expect(screen.getByRole('alert')).toHaveTextContent('Unauthorized. Contact support. Retry');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(run).toHaveBeenCalledOnce();
});
