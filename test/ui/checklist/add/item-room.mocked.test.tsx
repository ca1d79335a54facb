import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import ChecklistPanel from '../../../../src/ui/screens/panel/panel.tsx';
import { fakeIssue, show } from '../../issue.tsx';

vi.mock('../../../../src/domain/edition.ts', async load => {
  const { editionOf, ...rest } = await load<typeof import('../../../../src/domain/edition.ts')>();
  const limits = { itemsPerChecklist: 20 };
  const edition = editionOf({ edition: 'free', version: '1.0.0', platform: 'cloud', development: false, limits });
  return { ...rest, editionOf, edition };
});

test('the input says how many items fit before many are pasted', async () => {
  await show(fakeIssue('- a\n- b\n'), <ChecklistPanel />);
  expect(await screen.findByText(/^There is room for 18 more items in the Free version\./)).toBeInTheDocument();
});
