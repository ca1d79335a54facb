import { setTimeout as pause } from 'node:timers/promises';
import { type BrowserWindow, type EngineName, frames, type PointerStep, type Where } from './window.ts';

/** The commands of W3C WebDriver that the stories need, by any transport. */
export interface Driver {
  execute(script: string, args: readonly unknown[]): Promise<unknown>;
  /** An element's id in the current frame. */
  find(css: string): Promise<string>;
  /** `undefined`: the page itself. */
  switchTo(element: string | undefined): Promise<void>;
  navigate(url: string): Promise<void>;
  refresh(): Promise<void>;
  perform(actions: readonly object[]): Promise<void>;
  cookie(cookie: { name: string; value: string }): Promise<void>;
  /** A picture as base64. */
  screenshot(): Promise<string>;
  end(): Promise<void>;
}

/** The key of an element's id in answers. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** WebDriver's code points of keys without a character. */
const codes: Record<string, string> = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Control: '\ue009',
  Alt: '\ue00a',
  Escape: '\ue00c',
  PageUp: '\ue00e',
  PageDown: '\ue00f',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
  Delete: '\ue017',
  F1: '\ue031',
  F2: '\ue032',
};

const down = (value: string) => ({ type: 'keyDown', value });
const up = (value: string) => ({ type: 'keyUp', value });

/** The actions of a key with its modifiers: `Control+Shift+P`. */
function keyActions(key: string): object[] {
  const parts = key.length > 1 ? key.split('+') : [key];
  const values = parts.map(part => codes[part] ?? part);
  return [...values.map(down), ...values.reverse().map(up)];
}

const keyboard = (actions: readonly object[]) => [{ type: 'key', id: 'keyboard', actions }];

const pointerAction = (step: PointerStep): object => {
  switch (step.type) {
    case 'move':
      return {
        type: 'pointerMove',
        duration: 50,
        origin: 'viewport',
        x: Math.round(step.to.x),
        y: Math.round(step.to.y),
      };
    case 'down':
      return { type: 'pointerDown', button: 0 };
    case 'up':
      return { type: 'pointerUp', button: 0 };
    case 'pause':
      return { type: 'pause', duration: step.ms };
  }
};

/** A window that a WebDriver drives. */
export function webdriverWindow(engine: EngineName, driver: Driver): BrowserWindow {
  const enter = async (where: Where) => {
    await driver.switchTo(undefined);
    if (where !== 'page') await driver.switchTo(await driver.find(frames[where]));
  };
  /** Actions are of the page: their points are those of its viewport. */
  const perform = async (actions: readonly object[]) => {
    await driver.switchTo(undefined);
    await driver.perform(actions);
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
    press: async (...keys) => {
      for (const key of keys) await perform(keyboard(keyActions(key)));
    },
    type: async text => {
      for (const character of text) {
        await perform(keyboard([down(character), up(character)]));
        await pause(5);
      }
    },
    pointer: steps =>
      perform([
        { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: steps.map(pointerAction) },
      ]),
    screenshot: async () => {
      await driver.switchTo(undefined);
      return Buffer.from(await driver.screenshot(), 'base64');
    },
    close: () => driver.end(),
  };
}
