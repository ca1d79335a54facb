import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
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

/** Layers by name, each opened above the ones before; the list says which are open. */
function Stack({ kinds }: { kinds: readonly ('popup' | 'dialog')[] }) {
  const [open, setOpen] = useState(kinds.length);
  return (
    <>
      {kinds.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: layers have no other key.
        <Opened key={index} isOpen={index < open} stays={kind === 'dialog'} onClose={() => setOpen(index)} />
      ))}
      <div className="cm-editor">
        <input aria-label="Text" onKeyDown={event => event.key === 'Escape' && event.preventDefault()} />
      </div>
      <p>{open} open</p>
    </>
  );
}

function Opened({ isOpen, stays, onClose }: { isOpen: boolean; stays: boolean; onClose(): void }) {
  useLayer(isOpen, onClose, stays);
  return null;
}

test.each([
  { kinds: ['popup'] },
  { kinds: ['dialog', 'popup'] },
  { kinds: ['dialog', 'dialog', 'popup'] },
  { kinds: ['popup', 'dialog'] },
] as const)('Escape closes one layer after the other, and reaches the host only then: $kinds', async ({ kinds }) => {
  const host = vi.fn();
  window.addEventListener('keydown', host);
  onTestFinished(() => window.removeEventListener('keydown', host));
  render(<Stack kinds={kinds} />);
  for (let left = kinds.length - 1; left >= 0; left -= 1) {
    await userEvent.keyboard('{Escape}');
    expect(screen.getByText(`${left} open`)).toBeVisible();
  }
  expect(host).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(host).toHaveBeenCalledOnce();
});

test('a text editor gets Escape before the layers around it, for its own popups', async () => {
  render(<Stack kinds={['dialog', 'popup']} />);
  await userEvent.click(screen.getByLabelText('Text'));
  await userEvent.keyboard('{Escape}');
  expect(screen.getByText('2 open')).toBeVisible();
});

test('Escape that ends a composition closes nothing', () => {
  render(<Stack kinds={['popup']} />);
  fireEvent.keyDown(document.body, { key: 'Escape', isComposing: true });
  expect(screen.getByText('1 open')).toBeVisible();
});
