import * as v from 'valibot';
import type { Display } from './display.ts';
import { type BrowserWindow, type EngineName, frames, type Point, type Where } from './window.ts';

/** The commands of W3C WebDriver that the flows need, by any transport. */
export interface Driver {
  execute(script: string, args: readonly unknown[]): Promise<unknown>;
  /** An element's id in the current frame. */
  find(css: string): Promise<string>;
  /** `undefined`: the page itself. */
  switchTo(element: string | undefined): Promise<void>;
  navigate(url: string): Promise<void>;
  refresh(): Promise<void>;
  cookie(cookie: { name: string; value: string }): Promise<void>;
  /** A picture as base64. */
  screenshot(): Promise<string>;
  end(): Promise<void>;
}

/** The key of an element's id in answers. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** The page's viewport on the display. */
const ORIGIN = `
  const x = globalThis.mozInnerScreenX ?? screenX;
  const y = globalThis.mozInnerScreenY ?? screenY + outerHeight - innerHeight;
  return { x, y };
`;
const point = v.object({ x: v.number(), y: v.number() });

/** A window that a WebDriver drives, with the keyboard and the mouse of its display. */
export function webdriverWindow(engine: EngineName, driver: Driver, display: Display): BrowserWindow {
  const enter = async (where: Where) => {
    await driver.switchTo(undefined);
    if (where !== 'page') await driver.switchTo(await driver.find(frames[where]));
  };
  return {
    engine,
    setCookie: (name, value) => driver.cookie({ name, value }),
    open: async address => {
      await driver.switchTo(undefined);
      await driver.navigate(address);
    },
    reload: async () => {
      await driver.switchTo(undefined);
      await driver.refresh();
    },
    run: async (where, script, ...args) => {
      await enter(where);
      return driver.execute(script, args);
    },
    press: display.press,
    type: display.type,
    pointer: async steps => {
      await enter('page');
      const origin = v.parse(point, await driver.execute(ORIGIN, []));
      const shifted = ({ x, y }: Point) => ({ x: x + origin.x, y: y + origin.y });
      await display.pointer(steps.map(step => (step.type === 'move' ? { ...step, to: shifted(step.to) } : step)));
    },
    zoom: async to => {
      const keys = to === 'in' ? Array.from({ length: 4 }, () => 'Control+plus') : ['Control+0'];
      await display.press(...keys);
    },
    screenshot: async () => {
      await driver.switchTo(undefined);
      return Buffer.from(await driver.screenshot(), 'base64');
    },
    close: () => driver.end(),
  };
}
