import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, lazy, StrictMode, useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { requiredComponent } from '../../../src/ui/kit/content-state.tsx';
import { EarlyText, useFirstFocus, withEarlyText } from '../../../src/ui/kit/early-text.tsx';

/** Typing for a popup that loads in steps. */

interface PopupProps {
  onClose(withFocus: boolean): void;
}

function Search() {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  useFirstFocus(() => input.current);
  return <input ref={input} aria-label="Search" value={typed} onChange={({ target }) => setTyped(target.value)} />;
}

/** Shows a popup, until it is closed, whose code and whose data are loaded by the two functions. */
function show() {
  let load = (): void => undefined;
  let answer = (): void => undefined;
  const Popup = ({ onClose }: PopupProps) => {
    const [isThere, setThere] = useState(false);
    answer = () => setThere(true);
    return isThere ? <Search /> : <EarlyText label="Search soon" onEscape={() => onClose(true)} />;
  };
  const code = new Promise<{ default: ComponentType<PopupProps> }>(resolve => {
    load = () => resolve({ default: Popup });
  });
  const Lazy = withEarlyText(
    lazy(() => code),
    () => 'Search soon',
  );
  function Page() {
    const [isOpen, setOpen] = useState(true);
    return isOpen ? <Lazy onClose={() => setOpen(false)} /> : <p>Closed</p>;
  }
  render(<Page />, { wrapper: StrictMode });
  return { load: () => act(async () => load()), answer: () => act(async () => answer()) };
}

const soon = () => screen.getByRole('textbox', { name: 'Search soon' });

test('the field of a popup gets what was typed during each step of its loading', async () => {
  const { load, answer } = show();
  expect(soon()).toHaveFocus();
  await userEvent.keyboard('one ');
  await load();
  expect(soon()).toHaveFocus();
  await userEvent.keyboard('two ');
  await answer();
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveFocus();
  await userEvent.keyboard('three');
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('one two three');
});

test('what was typed stays while the popup says that its code failed to load, and is there after Retry', async () => {
  let fail = (): void => undefined;
  let attempts = 0;
  const load = () => {
    attempts += 1;
    if (attempts > 1) return Promise.resolve({ default: Search });
    return new Promise<never>((_, reject) => {
      fail = () => reject(new Error('No network.'));
    });
  };
  const Popup = withEarlyText(requiredComponent<PopupProps>('search', load), () => 'Search soon');
  render(<Popup onClose={() => undefined} />);
  await userEvent.keyboard('one');
  await act(async () => fail());
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('textbox', { name: 'Search' })).toHaveValue('one');
});

test.each(['code', 'data'])('Escape closes a popup whose %s is loading, and the next one gets nothing', async step => {
  const closed = show();
  if (step === 'data') await closed.load();
  await userEvent.keyboard('one{Escape}');
  expect(screen.getByText('Closed')).toBeVisible();
  const { load, answer } = show();
  await load();
  await answer();
  expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('');
});
