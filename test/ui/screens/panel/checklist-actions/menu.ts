import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** The menu button's name contains the news badge as soon as that is known. */
export async function entries(): Promise<string[]> {
  await userEvent.click(await screen.findByRole('button', { name: 'Checklist actions' }));
  return within(await screen.findByRole('menu'))
    .getAllByRole('menuitem')
    .map(({ textContent }) => textContent.replace(/New$/, ''));
}

export async function choose(name: string): Promise<void> {
  await entries();
  await userEvent.click(screen.getByRole('menuitem', { name }));
  if (name === 'Apply template…') await userEvent.click(await screen.findByRole('button', { name: 'More options…' }));
}
