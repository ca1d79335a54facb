/** Functions that run inside the measured page. Each is sent there as text and uses nothing from outside itself. */

/** Watches a frame from its start: when its first rows were painted, and long tasks. */
export function watch(): void {
  const seen = { painted: 0, long: 0, longest: 0 };
  Object.assign(window, { seen });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('li[data-key], .tree-row')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (seen.painted = performance.now())));
  }).observe(document, { childList: true, subtree: true });
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) {
      seen.long++;
      seen.longest = Math.max(seen.longest, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
}

/** Types into the search, letter by letter. Returns milliseconds from each key until it is painted. */
export async function type({ field, text }: { field: string; text: string }): Promise<number[]> {
  const input = document.querySelector<HTMLInputElement>(field);
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  const times: number[] = [];
  for (let end = 1; end <= text.length; end++) {
    const start = performance.now();
    if (input) set?.call(input, text.slice(0, end));
    input?.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - start);
    await new Promise(resolve => setTimeout(resolve, 90));
  }
  return times;
}

/** Scrolls these by a screen at a time. Returns milliseconds from each step until it is painted. */
export async function scroll({ of, steps }: { of: string; steps: number }): Promise<number[]> {
  const times: number[] = [];
  for (let step = 0; step < steps; step++) {
    const start = performance.now();
    for (const each of document.querySelectorAll(of)) each.scrollBy(0, 600);
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - start);
    await new Promise(resolve => setTimeout(resolve, 30));
  }
  return times;
}

/** Clicks the first of these repeatedly. Returns milliseconds from each click until its result is painted. */
export async function click({ what, times }: { what: string; times: number }): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    document.querySelector<HTMLElement>(what)?.click();
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
    found.push(performance.now() - start);
    await new Promise(resolve => setTimeout(resolve, 60));
  }
  return found;
}
