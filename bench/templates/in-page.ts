/** Functions that run inside the measured pages. Each is sent there as text and uses nothing from outside itself. */

/** A frame's measurements since the last reading, in milliseconds. */
export interface Seen {
  /** From each key to the end of the frame that shows what it did. */
  keys: number[];
  /** From each answer of templates or statuses to the end of the frame that shows them. */
  lists: number[];
  /** From each drop to the end of the frame that shows its result. */
  drops: number[];
  /** Tasks of more than 50. */
  tasks: number[];
}

/** Watches a frame from its start. */
export function watch(): void {
  const fresh = (): Seen => ({ keys: [], lists: [], drops: [], tasks: [] });
  let seen = fresh();
  /** When the data arrived, and what was shown then. */
  let answered: number | undefined;
  let showed = '';
  const shows = () => {
    const rows = document.querySelectorAll('ul > li');
    return [rows.length, rows[0]?.textContent, rows[rows.length - 1]?.textContent].join(' ');
  };
  /** A message posted in a frame's callback arrives when the frame's work on this thread is done. */
  const painted = (done: () => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null);
    });
  const came = () => {
    answered = performance.now();
    showed = shows();
  };
  const follow = (type: string, times: () => number[]) =>
    window.addEventListener(type, ({ timeStamp }) => painted(() => times().push(performance.now() - timeStamp)), {
      capture: true,
    });
  follow('keydown', () => seen.keys);
  follow('drop', () => seen.drops);
  const { text } = Response.prototype;
  Response.prototype.text = async function () {
    const read = await text.call(this);
    if (/"(templates|statuses)":/.test(read)) came();
    return read;
  };
  new MutationObserver(() => {
    if (answered === undefined || shows() === showed) return;
    const from = answered;
    answered = undefined;
    painted(() => seen.lists.push(performance.now() - from));
  }).observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver(list => {
    for (const { name, duration } of list.getEntries()) if (name === 'self') seen.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  Object.assign(window, {
    /** For a list without a server. */
    came,
    take: () => {
      const taken = seen;
      seen = fresh();
      answered = undefined;
      return taken;
    },
  });
}

/** Scrolls from top to end by some pixels per frame. Returns the duration of each frame. */
export async function scrollThrough(step: number): Promise<number[]> {
  const scroller = document.scrollingElement ?? document.documentElement;
  scroller.scrollTop = 0;
  const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve));
  const times: number[] = [];
  let before = await frame();
  for (let top = 0; top + scroller.clientHeight < scroller.scrollHeight; top += step) {
    scroller.scrollTop = top + step;
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}
