import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { shell } from '../../../src/domain/messages.ts';
import { requiredComponent } from '../../../src/ui/kit/content-state.tsx';

const Hello = ({ name }: { name: string }) => <p>Hello {name}</p>;

test('a failed chunk shows a message in place of the component, which shows after a retry', async () => {
  const net: { broken: boolean } = { broken: true };
  const Part = requiredComponent('hello', async () => {
    if (net.broken) throw new TypeError('Failed to fetch');
    return { default: Hello };
  });
  const page = (names: readonly string[]) => (
    <Suspense fallback={null}>
      <p>All else</p>
      {names.map(name => (
        <Part key={name} name={name} />
      ))}
    </Suspense>
  );
  const user = userEvent.setup();
  const { rerender } = render(page(['Ann']));
  expect(await screen.findByText(shell.chunkFailed('hello'))).toBeVisible();
  expect(screen.getByText('All else')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: shell.retry }));
  expect(screen.getByText(shell.chunkFailed('hello'))).toBeVisible();
  net.broken = false;
  await user.click(screen.getByRole('button', { name: shell.retry }));
  expect(await screen.findByText('Hello Ann')).toBeVisible();
  // The next one renders at once.
  rerender(page(['Ann', 'Bob']));
  expect(screen.getByText('Hello Bob')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a loaded component renders at once', async () => {
  const Part = requiredComponent('hello', async () => ({ default: Hello }));
  render(
    <Suspense fallback={null}>
      <Part name="Ann" />
    </Suspense>,
  );
  expect(await screen.findByText('Hello Ann')).toBeVisible();
});
