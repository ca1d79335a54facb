import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { type FakeIssue, fakeIssue, show } from '../../issue.tsx';

/** One row of the inline list and its commands. */

export const box = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
export const stored = (issue: FakeIssue, text: string) => waitFor(() => expect(issue.stored.text.trimEnd()).toBe(text));
export const item = (name: string) => screen.findByRole('menuitem', { name });
export const field = (name: string) => screen.findByRole('textbox', { name });

export async function open(
  text: string,
  ...may: Parameters<typeof show> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  const issue = fakeIssue(text);
  await show(issue, <ChecklistPanel />, ...may);
  return issue;
}

export async function menu(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  return screen.findByRole('menu', { name: `Actions for ${name}` });
}

export async function choose(name: string, entry: string) {
  await menu(name);
  await userEvent.click(await item(entry));
}
