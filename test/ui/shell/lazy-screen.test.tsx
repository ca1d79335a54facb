import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkLoadFailed, ErrorBoundary, lazyScreen, loadChunk } from '../../../src/ui/shell/lazy-screen.tsx';

function Broken(): never {
  throw new Error('secret detail');
}

beforeEach(() => {
  // React logs what a boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.useRealTimers());

test('a chunk that does not arrive fails after two minutes', async () => {
  vi.useFakeTimers();
  const failure = loadChunk('history', () => new Promise(() => undefined)).catch((error: unknown) => error);
  let settled = false;
  void failure.then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(119_999);
  expect(settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await failure).toEqual(new ChunkLoadFailed('Loading chunk history failed.'));
});

test('a loaded chunk clears its timer', async () => {
  vi.useFakeTimers();
  expect(await loadChunk('history', () => Promise.resolve('module'))).toBe('module');
  expect(vi.getTimerCount()).toBe(0);
});

test('a screen that cannot be loaded shows a message and reloads on retry', async () => {
  const reload = vi.fn();
  const { Screen } = lazyScreen('history', () => Promise.reject(new TypeError('Failed to fetch')));
  render(
    <ErrorBoundary reload={reload}>
      <Suspense>
        <Screen />
      </Suspense>
    </ErrorBoundary>,
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('Loading chunk history failed.');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a screen that throws shows that something went wrong', () => {
  render(
    <ErrorBoundary reload={() => undefined}>
      <Broken />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent(/^Something went wrong\.Retry$/);
});
