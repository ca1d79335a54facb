import { launchChromium } from '../browser/chromium.ts';
import { type BrowserWindow, type Engine, frames, type Where } from './window.ts';

/** The Chromium of the other browser tests, with the same interface as the other engines. */
export function chromium(): Engine {
  const browser = launchChromium();
  browser.catch(() => undefined);
  return {
    openWindow: async (): Promise<BrowserWindow> => {
      const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      page.on('dialog', dialog => void dialog.accept());
      const frameOf = async (where: Where) => {
        if (where === 'page') return page.mainFrame();
        const element = await page.$(frames[where]);
        const frame = await element?.contentFrame();
        if (!frame) throw new Error(`No ${where}.`);
        return frame;
      };
      return {
        engine: 'chromium',
        setCookie: async (name, value) => context.addCookies([{ name, value, url: new URL(page.url()).origin }]),
        open: async address => void (await page.goto(address)),
        reload: async () => void (await page.reload()),
        run: async (where, script, ...args) =>
          (await frameOf(where)).evaluate(([body, values]) => new Function(body).apply(null, values) as unknown, [
            script,
            args,
          ] as const),
        press: async (...keys) => {
          for (const key of keys) await page.keyboard.press(key);
        },
        type: text => page.keyboard.type(text, { delay: 5 }),
        pointer: async steps => {
          for (const step of steps) {
            if (step.type === 'move') await page.mouse.move(step.to.x, step.to.y, { steps: 4 });
            else if (step.type === 'pause') await page.waitForTimeout(step.ms);
            else await page.mouse[step.type]();
          }
        },
        screenshot: () => page.screenshot(),
        close: () => context.close(),
      };
    },
    close: async () => (await browser).close(),
  };
}
