import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { lazyComponent } from '../../../src/ui/kit/lazy-component.tsx';

const Menu = () => <p>Menu</p>;

test('a component whose chunk failed is loaded again the next time it is shown, not before', async () => {
  const load = vi.fn(async () => ({ default: Menu }));
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  const Part = lazyComponent(load, () => <p>Without</p>);
  const page = (shown: boolean) => <Suspense>{shown && <Part />}</Suspense>;
  const { rerender } = render(page(true));
  expect(await screen.findByText('Without')).toBeVisible();
  rerender(page(true));
  expect(screen.getByText('Without')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
  rerender(page(false));
  rerender(page(true));
  expect(await screen.findByText('Menu')).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});
