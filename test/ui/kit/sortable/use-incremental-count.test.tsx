import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useIncrementalCount } from '../../../../src/ui/kit/sortable/sortable.tsx';

/** Number of rows rendered in each commit. */
const commits: number[] = [];

function List({ count }: { count: number }) {
  const shown = useIncrementalCount(count);
  const before = document.querySelectorAll('li').length;
  return (
    <ul
      ref={list => {
        if (list) commits.push(list.children.length - before);
      }}
    >
      {Array.from({ length: shown }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing but their order.
        <li key={index} />
      ))}
    </ul>
  );
}

test('a long list renders at most one screen or one chunk of rows per commit, also when it returns', async () => {
  const { rerender } = render(<List count={1_000} />);
  await expect.poll(() => screen.getAllByRole('listitem').length).toBe(1_000);
  rerender(<List count={7} />);
  expect(screen.getAllByRole('listitem').length).toBe(7);
  rerender(<List count={1_000} />);
  await expect.poll(() => screen.getAllByRole('listitem').length).toBe(1_000);
  expect(Math.max(...commits)).toBeLessThanOrEqual(50);
});
