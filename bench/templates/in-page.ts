/** What runs inside the measured pages. Each function is sent there as text, and knows nothing outside itself. */

/** What a frame has seen since it was asked last, in milliseconds. */
export interface Seen {
  /** From each key to the end of the frame that shows what it did. */
  keys: number[];
  /** From each answer of templates or statuses to the end of the frame that shows them. */
  lists: number[];
  /** From each drop likewise. */
  drops: number[];
  /** Tasks of more than 50. */
  tasks: number[];
}

/** Watches a frame from its start. */
export function watch(): void {
  const fresh = (): Seen => ({ keys: [], lists: [], drops: [], tasks: [] });
  let seen = fresh();
  /** When there came what is to be shown, and what showed then. */
  let answered: number | undefined;
  let showed = '';
  const shows = () => {
    const rows = document.querySelectorAll('ul > li');
    return [rows.length, rows[0]?.textContent, rows[rows.length - 1]?.textContent].join(' ');
  };
  /** A message that is posted in a frame's callback comes when the frame's work on this thread is over. */
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
    /** For a list that no server answers. */
    came,
    take: () => {
      const taken = seen;
      seen = fresh();
      answered = undefined;
      return taken;
    },
  });
}

/** Scrolls from top to end, so many pixels a frame. Answers how long each frame took. */
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
