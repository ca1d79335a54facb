import { render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useFloating } from '../../../../src/ui/screens/panel/floating.ts';

function Panel() {
  const foot = useRef<HTMLDivElement>(null);
  useFloating(foot, 'foot');
  return (
    <div data-testid="panel">
      <fieldset aria-label="A choice" className="check-conflict" />
      <div ref={foot} data-testid="foot" />
    </div>
  );
}

/** The place of a foot of 40 px in a panel of 1,000 px of which the first 500 are visible, beside an open choice. */
function placeBeside(choice: { top: number; bottom: number }): number {
  const panel = { top: 0, bottom: 1_000, width: 300, height: 1_000 };
  let show: IntersectionObserverCallback = () => undefined;
  class Sizes {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  class Intersections extends Sizes {
    constructor(callback: IntersectionObserverCallback) {
      super();
      show = callback;
    }
  }
  vi.stubGlobal('IntersectionObserver', Intersections);
  vi.stubGlobal('ResizeObserver', Sizes);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { unmount } = render(<Panel />);
  onTestFinished(unmount);
  const foot = screen.getByTestId('foot');
  Object.defineProperties(foot, { offsetTop: { value: 960 }, offsetHeight: { value: 40 } });
  vi.spyOn(screen.getByRole('group'), 'getBoundingClientRect').mockReturnValue({ ...new DOMRect(), ...choice });
  const visible = { top: 0, bottom: 500, width: 300, height: 500 };
  const report = show;
  const entry = { isIntersecting: true, boundingClientRect: panel, intersectionRect: visible };
  report([entry as IntersectionObserverEntry], new IntersectionObserver(() => undefined));
  return 960 + Number.parseInt(foot.style.getPropertyValue('--float'), 10);
}

test.each([
  ['at the end of what is visible, far from an open choice', { top: 100, bottom: 200 }, 452],
  ['above an open choice', { top: 430, bottom: 480 }, 382],
  ['above an open choice that is partly visible', { top: 470, bottom: 560 }, 422],
])('the undo bar floats %s', (_, choice, top) => {
  expect(placeBeside(choice)).toBe(top);
});
