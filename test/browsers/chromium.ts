import { launchChromium } from '../browser/chromium.ts';
import { type BrowserWindow, type Engine, frames, type Where } from './window.ts';

/** What frames see where the user has blocked all cookies. */
const refuseStorage = () => {
  if (window === window.top) return;
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
};

/** The Chromium of the other browser tests, with the same interface as the other engines. */
export function chromium(): Engine {
  const browser = launchChromium();
  browser.catch(() => undefined);
  return {
    openWindow: async ({ storage, colors } = {}): Promise<BrowserWindow> => {
      const context = await (await browser).newContext({
        viewport: { width: 1280, height: 900 },
        ...(colors === 'forced' && { forcedColors: 'active' as const }),
      });
      if (storage === 'refused') await context.addInitScript(refuseStorage);
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
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
        zoom: async to =>
          void (await (to === 'reset'
            ? devtools.send('Emulation.clearDeviceMetricsOverride')
            : devtools.send('Emulation.setDeviceMetricsOverride', {
                ...{ width: 853, height: 600, deviceScaleFactor: 1.5, mobile: false },
              }))),
        screenshot: () => page.screenshot(),
        close: () => context.close(),
      };
    },
    close: async () => (await browser).close(),
  };
}
