import * as v from 'valibot';
import { expect } from 'vitest';
import { type BrowserWindow, frames, type Point, type Where } from './window.ts';

/** What the flows look at on a page, and where they point. */

const box = v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() });
type Box = v.InferOutput<typeof box>;

/** The box of the first visible element that matches and has that text or name; `null` without one. */
const FIND = `
  const [css, name] = arguments;
  for (const element of document.querySelectorAll(css)) {
    const texts = [element.getAttribute('aria-label'), element.textContent, element.title].map(text => (text ?? '').trim());
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0 && (name === null || texts.includes(name))) {
      element.scrollIntoView({ block: 'nearest' });
      const now = element.getBoundingClientRect();
      return { x: now.x, y: now.y, width: now.width, height: now.height };
    }
  }
  return null;
`;
const FRAME = `
  const { x, y } = document.querySelector(arguments[0]).getBoundingClientRect();
  return { x, y, width: 0, height: 0 };
`;

const find = async (window: BrowserWindow, where: Where, css: string, name?: string): Promise<Box | undefined> =>
  v.parse(v.nullable(box), await window.run(where, FIND, css, name ?? null).catch(() => null)) ?? undefined;

/** Resolves when an element is visible, with its box in its frame. */
export async function visible(window: BrowserWindow, where: Where, css: string, name?: string): Promise<Box> {
  let found: Box | undefined;
  await expect
    .poll(
      async () => {
        found = await find(window, where, css, name);
        return found !== undefined;
      },
      { message: `${css} ${name ?? ''} in the ${where}` },
    )
    .toBe(true);
  if (!found) throw new Error(`No ${css}.`);
  return found;
}

export const isVisible = async (window: BrowserWindow, where: Where, css: string, name?: string): Promise<boolean> =>
  (await find(window, where, css, name)) !== undefined;

/** An element's middle in the page's viewport, once it is visible and its frame stands still. */
export async function pointAt(
  window: BrowserWindow,
  where: Where,
  css: string,
  name?: string,
  { x: atX = 0.5, y: atY = 0.5 }: Partial<Point> = {},
): Promise<Point> {
  const place = async () => {
    const inner = await visible(window, where, css, name);
    const outer = where === 'page' ? { x: 0, y: 0 } : v.parse(box, await window.run('page', FRAME, frames[where]));
    return { x: outer.x + inner.x + inner.width * atX, y: outer.y + inner.y + inner.height * atY };
  };
  let last = await place();
  for (;;) {
    const next = await place();
    if (next.x === last.x && next.y === last.y) return next;
    last = next;
  }
}

/** Resolves when a frame has the size of what it shows. */
export const settled = (window: BrowserWindow, where: Where = 'panel'): Promise<void> =>
  expect
    .poll(() =>
      window.run(
        where,
        'const it = document.documentElement; return it.scrollWidth <= it.clientWidth && it.scrollHeight <= innerHeight;',
      ),
    )
    .toBe(true);

export async function hover(window: BrowserWindow, where: Where, css: string, name?: string): Promise<void> {
  await window.pointer([{ type: 'move', to: await pointAt(window, where, css, name) }]);
}

export async function click(window: BrowserWindow, where: Where, css: string, name?: string): Promise<void> {
  // What the pointer enters may move: frames grow, buttons appear.
  for (let before: Point | undefined; ; ) {
    const to = await pointAt(window, where, css, name);
    if (before && before.x === to.x && before.y === to.y) break;
    await window.pointer([
      { type: 'move', to },
      { type: 'pause', ms: 100 },
    ]);
    before = to;
  }
  await window.pointer([{ type: 'down' }, { type: 'pause', ms: 30 }, { type: 'up' }]);
}

/** The texts of the elements that match. */
export const texts = async (window: BrowserWindow, where: Where, css: string): Promise<string[]> =>
  v.parse(
    v.array(v.string()),
    await window
      .run(
        where,
        `return Array.from(document.querySelectorAll(arguments[0]), element => element.textContent.trim());`,
        css,
      )
      .catch(() => []),
  );

/** The panel's rows. */
export const rows = (window: BrowserWindow): Promise<string[]> => texts(window, 'panel', '.check-text, .check-title');

/** The text of a CodeMirror editor. */
export const lines = async (window: BrowserWindow, where: Where): Promise<string> =>
  (await texts(window, where, '.cm-content .cm-line')).join('\n');

/** What has the focus in a frame, by its accessible name or element. */
export const focused = async (window: BrowserWindow, where: Where): Promise<string> =>
  v.parse(
    v.string(),
    await window.run(
      where,
      `const it = document.activeElement;
       const by = it?.getAttribute('aria-labelledby');
       return it?.getAttribute('aria-label') ?? (by ? document.getElementById(by)?.textContent : undefined) ?? it?.localName ?? '';`,
    ),
  );

/** The focused entry of the panel's menu. */
export const menuEntry = (window: BrowserWindow): Promise<unknown> =>
  window.run('panel', `return document.activeElement?.closest('[role=menuitem]')?.textContent.trim() ?? '';`);

/** The computed style of the first element that matches. */
export const style = async (window: BrowserWindow, where: Where, css: string, property: string): Promise<string> =>
  v.parse(
    v.string(),
    await window.run(
      where,
      'return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]];',
      css,
      property,
    ),
  );

/** Types items into the panel's field, each with Enter. */
export async function addItems(window: BrowserWindow, ...items: readonly string[]): Promise<void> {
  await click(window, 'panel', '[aria-label="Add an item"]');
  // Keys go to the frame that the browser knows to have the focus: another process tells it so.
  await expect.poll(() => window.run('panel', 'return document.hasFocus();')).toBe(true);
  await expect.poll(() => focused(window, 'panel')).toBe('Add an item');
  for (const item of items) {
    await window.type(item);
    await window.press('Enter');
  }
}

/** Takes the current option of a list of completions: for a moment a new list leaves keys to the text. */
export async function takeOption(window: BrowserWindow, where: Where): Promise<void> {
  const current = () =>
    window.run(
      where,
      `const list = '.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)';
       return document.querySelector(list + ' [aria-selected="true"]')?.textContent ?? '';`,
    );
  let last: unknown;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await current();
        return last !== '' && last === before;
      },
      { message: 'a list with a current option', interval: 200 },
    )
    .toBe(true);
  await window.press('Enter');
}
