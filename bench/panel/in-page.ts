/** Functions that run inside the measured pages. Each is sent there as text and uses nothing from outside itself. */

/** Watches a frame from its start: the host's last answer, the first rows, and which rows React renders. */
export function watch(): void {
  interface Fiber {
    child: Fiber | null;
    sibling: Fiber | null;
    flags: number;
    memoizedProps: Record<string, unknown> | null;
  }
  const seen = { answered: 0, shown: 0, painted: 0, rows: 0 };
  const counted = new WeakSet<object>();
  const isRow = ({ memoizedProps: props }: Fiber) =>
    typeof props === 'object' && props !== null && 'row' in props && 'line' in props && 'tools' in props;
  const count = (first: Fiber | null): void => {
    for (let fiber = first; fiber; fiber = fiber.sibling) {
      const { flags, memoizedProps } = fiber;
      if (!isRow(fiber)) count(fiber.child);
      // The first flag: the component was rendered. Later commits elsewhere do not reset it.
      else if (flags & 1 && memoizedProps && !counted.has(memoizedProps)) {
        counted.add(memoizedProps);
        seen.rows++;
      }
    }
  };
  Object.assign(window, {
    seen,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_id: number, root: { current: Fiber }) => count(root.current),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    },
  });
  window.addEventListener(
    'message',
    () => {
      if (seen.shown === 0) seen.answered = performance.now();
    },
    true,
  );
  new MutationObserver((_, observer) => {
    if (!document.querySelector('li[data-key]')) return;
    observer.disconnect();
    seen.shown = performance.now();
    requestAnimationFrame(() => setTimeout(() => (seen.painted = performance.now())));
  }).observe(document, { childList: true, subtree: true });
}

/** Ticks items one after the other. Returns milliseconds from each click until it is painted. */
export async function tick(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const box = document.querySelectorAll<HTMLInputElement>('li input[type=checkbox]')[at];
    const before = box?.checked;
    const start = performance.now();
    box?.click();
    await Promise.resolve();
    times.push(performance.now() - start);
    if (box?.checked === before) throw new Error('The tick did not show at once.');
    // Work that follows, such as the server's answer, is another task.
    await new Promise(resolve => setTimeout(resolve, 150));
  }
  return times;
}
