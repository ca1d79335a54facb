import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { AssignedFilters } from '../../../../src/ui/screens/assigned-items/assigned-filters.tsx';
import { wholeView } from '../../../../src/ui/screens/assigned-items/use-assigned.ts';

afterEach(() => {
  vi.useRealTimers();
});

function Filters({ onText }: { onText(text: string): void }) {
  const [view, setView] = useState(wholeView(undefined));
  return (
    <AssignedFilters
      view={view}
      counts={undefined}
      projectNames={undefined}
      projectId={undefined}
      onView={next => {
        setView(next);
        onText(next.text);
      }}
    />
  );
}

const input = () => screen.getByRole('textbox', { name: 'Search' });
const type = (value: string) => fireEvent.change(input(), { target: { value } });

test('a key pressed while a search starts is not lost', () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  render(<Filters onText={text => asked.push(text)} />);
  type('plan');
  act(() => {
    vi.runOnlyPendingTimers();
    type('plans');
  });
  expect(input()).toHaveValue('plans');
  act(() => {
    vi.runOnlyPendingTimers();
  });
  expect(asked).toEqual(['plan', 'plans']);
  expect(input()).toHaveValue('plans');
});

test('input is limited to the length that the server accepts', async () => {
  render(<Filters onText={() => undefined} />);
  await userEvent.click(input());
  await userEvent.paste('a'.repeat(200));
  expect(input()).toHaveValue('a'.repeat(140));
});
