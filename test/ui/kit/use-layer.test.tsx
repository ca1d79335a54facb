import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { anyLayer } from '../../../src/ui/kit/layers.ts';
import { useLayer } from '../../../src/ui/kit/use-layer.ts';

function Menu() {
  const [isOpen, setOpen] = useState(false);
  useLayer(isOpen, () => setOpen(false));
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <p>Entries</p>}
    </>
  );
}

test('an open menu closes when the window loses focus', async () => {
  render(<Menu />);
  await userEvent.click(screen.getByText('Open'));
  expect(screen.getByText('Entries')).toBeVisible();
  expect(anyLayer()).toBe(true);
  fireEvent.blur(window);
  expect(screen.queryByText('Entries')).toBeNull();
  expect(anyLayer()).toBe(false);
});

test('a menu that is removed while open is forgotten', async () => {
  const { unmount } = render(<Menu />);
  await userEvent.click(screen.getByText('Open'));
  unmount();
  expect(anyLayer()).toBe(false);
});
