import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from '../../../src/ui/kit/button.tsx';
import { Message } from '../../../src/ui/kit/message.tsx';

const kit = vi.hoisted(() => {
  let arrive = (): void => undefined;
  const here = new Promise<void>(resolve => {
    arrive = resolve;
  });
  return { here, arrive: () => arrive() };
});

vi.mock('../../../src/ui/kit/atlaskit-message.tsx', async load => {
  await kit.here;
  return load();
});
vi.mock('../../../src/ui/kit/atlaskit-button.tsx', async load => {
  await kit.here;
  return load();
});

test('visible parts are not replaced when the kit has loaded: that would lose the click and the focus', async () => {
  const run = vi.fn();
  const press = vi.fn();
  const screens = (
    <>
      <Message appearance="error" title="Not saved." actions={[{ label: 'Try again', run }]}>
        The server is away.
      </Message>
      <Button onClick={press}>Open editor</Button>
    </>
  );
  render(screens);
  const action = await screen.findByRole('button', { name: 'Try again' });
  const button = screen.getByRole('button', { name: 'Open editor' });
  action.focus();
  kit.arrive();
  await act(() =>
    Promise.all([
      import('../../../src/ui/kit/atlaskit-message.tsx'),
      import('../../../src/ui/kit/atlaskit-button.tsx'),
    ]),
  );
  expect(action).toHaveFocus();
  await userEvent.click(action);
  await userEvent.click(button);
  expect([run.mock.calls.length, press.mock.calls.length]).toEqual([1, 1]);
  // Parts rendered from then on use the kit.
  render(<Message appearance="error">Another one.</Message>);
  expect(screen.getByText('Another one.').closest('.message')).toBeNull();
});
