import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { freePort } from '../run/free-port.ts';
import { type Display, startDisplay } from './display.ts';
import { installed } from './installed.ts';
import { type Driver, ELEMENT, webdriverWindow } from './webdriver.ts';
import type { Engine } from './window.ts';

const answerShape = v.object({ value: v.unknown() });
const sessionShape = v.object({ sessionId: v.string() });
const elementShape = v.object({ [ELEMENT]: v.string() });
const failureShape = v.object({ value: v.object({ error: v.string(), message: v.string() }) });

/** Settings of a WebKit with data of its own on a display. */
export const environment = (display: Display, home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ DISPLAY: display.name, HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home },
  ...{ GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' },
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
});

/** WebKitGTK as installed on this machine, on a virtual display. Each window is a process with data of its own. */
export function webkit(): Engine | undefined {
  const [program, display] = [installed('WebKitWebDriver'), installed('Xvfb')];
  if (program === undefined || display === undefined || installed('xdotool') === undefined) return undefined;
  const ends = new Set<() => Promise<void>>();
  return {
    openWindow: async () => {
      const home = await mkdtemp(join(tmpdir(), 'webkit-'));
      const screen = await startDisplay(display);
      const port = await freePort();
      const env = environment(screen, home);
      const child = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env });
      const call = async (method: string, path: string, body?: object): Promise<unknown> => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
        });
        const value: unknown = await answer.json();
        if (answer.ok) return v.parse(answerShape, value).value;
        const { error, message } = v.parse(failureShape, value).value;
        throw new Error(`${error}: ${message}`);
      };
      for (let left = 100; left > 0; left--) {
        if (
          await call('GET', '/status').then(
            () => true,
            () => false,
          )
        )
          break;
        await pause(100);
      }
      const capabilities = { alwaysMatch: { unhandledPromptBehavior: 'accept' } };
      const { sessionId } = v.parse(sessionShape, await call('POST', '/session', { capabilities }));
      const send = (method: string, path: string, body?: object) => call(method, `/session/${sessionId}${path}`, body);
      await send('POST', '/window/rect', { x: 0, y: 0, width: 1280, height: 1050 });
      const driver: Driver = {
        execute: (script, args) => send('POST', '/execute/sync', { script, args }),
        find: async css =>
          v.parse(elementShape, await send('POST', '/element', { using: 'css selector', value: css }))[ELEMENT] ?? '',
        switchTo: async element =>
          void (await send('POST', '/frame', { id: element === undefined ? null : { [ELEMENT]: element } })),
        navigate: async url => void (await send('POST', '/url', { url })),
        refresh: async () => void (await send('POST', '/refresh')),
        cookie: async cookie => void (await send('POST', '/cookie', { cookie })),
        screenshot: async () => v.parse(v.string(), await send('GET', '/screenshot')),
        end: async () => {
          ends.delete(driver.end);
          await Promise.race([send('DELETE', '').catch(() => undefined), pause(5_000)]);
          child.kill();
          screen.stop();
          await rm(home, { recursive: true, force: true, maxRetries: 5 });
        },
      };
      ends.add(driver.end);
      await screen.focus('.*');
      return webdriverWindow('webkit', driver, screen);
    },
    close: async () => void (await Promise.all([...ends].map(end => end()))),
  };
}
