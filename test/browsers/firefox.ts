import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { freePort } from '../run/free-port.ts';
import { startDisplay } from './display.ts';
import { installed } from './installed.ts';
import { type Driver, ELEMENT, webdriverWindow } from './webdriver.ts';
import type { Engine } from './window.ts';

const answerShape = v.tuple([
  v.literal(1),
  v.number(),
  v.nullable(v.looseObject({ error: v.string(), message: v.string() })),
  v.unknown(),
]);
const elementShape = v.object({ value: v.object({ [ELEMENT]: v.string() }) });
const valueShape = v.object({ value: v.unknown() });
const textShape = v.object({ value: v.string() });

const preferences = {
  // Dialogs of the first start.
  'datareporting.policy.dataSubmissionEnabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'app.update.disabledForTesting': true,
  'toolkit.cosmeticAnimations.enabled': false,
  // Print goes to a file, without a dialog.
  'print.always_print_silent': true,
  print_printer: 'Mozilla Save to PDF',
};

async function connected(port: number): Promise<Socket> {
  for (let left = 300; ; left--) {
    try {
      return await new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket));
        socket.once('error', reject);
      });
    } catch (error) {
      if (left === 0) throw error;
      await pause(200);
    }
  }
}

/** Firefox's own protocol, Marionette: WebDriver's commands as lines of `length:JSON`. */
function marionette(socket: Socket): { hello: Promise<void>; send(name: string, params?: object): Promise<unknown> } {
  let buffer = Buffer.alloc(0);
  let last = 0;
  let greet = (): void => undefined;
  const hello = new Promise<void>(resolve => {
    greet = resolve;
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const take = (message: unknown) => {
    if (!Array.isArray(message)) return greet();
    const [, id, error, value] = v.parse(answerShape, message);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(`${error.error}: ${error.message}`));
    else call?.resolve(value);
  };
  socket.on('data', chunk => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const colon = buffer.indexOf(':');
      const length = Number(buffer.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || buffer.length < colon + 1 + length) return;
      const text = buffer.subarray(colon + 1, colon + 1 + length).toString();
      buffer = buffer.subarray(colon + 1 + length);
      take(JSON.parse(text));
    }
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended.'));
  });
  return {
    hello,
    send: (name, params = {}) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        const text = JSON.stringify([0, last, name, params]);
        socket.write(`${Buffer.byteLength(text)}:${text}`);
      }),
  };
}

/** Firefox as installed on this machine, on a virtual display. Each window is a process with a profile of its own. */
export function firefox(): Engine | undefined {
  const [program, display] = [installed('firefox-esr', 'firefox'), installed('Xvfb')];
  if (program === undefined || display === undefined || installed('xdotool') === undefined) return undefined;
  const ends = new Set<() => Promise<void>>();
  return {
    openWindow: async ({ storage, colors } = {}) => {
      const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
      const screen = await startDisplay(display);
      const port = await freePort();
      const all = {
        ...preferences,
        'marionette.port': port,
        // Blocks what frames of other sites store.
        ...(storage === 'refused' && { 'network.cookie.cookieBehavior': 1 }),
        ...(colors === 'forced' && { 'browser.display.document_color_use': 2 }),
      };
      const lines = Object.entries(all).map(
        ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
      );
      await writeFile(join(profile, 'user.js'), lines.join('\n'));
      const args = ['--marionette', '--no-remote', '--profile', profile, '--width', '1280', '--height', '1000'];
      const child = spawn(program, [...args, 'about:blank'], {
        stdio: 'ignore',
        env: { ...process.env, HOME: profile, DISPLAY: screen.name, GDK_BACKEND: 'x11' },
      });
      const socket = await connected(port);
      const { hello, send } = marionette(socket);
      await hello;
      await send('WebDriver:NewSession', { capabilities: { alwaysMatch: { unhandledPromptBehavior: 'accept' } } });
      await send('WebDriver:SetWindowRect', { width: 1280, height: 1000 });
      const driver: Driver = {
        execute: async (script, args) =>
          v.parse(valueShape, await send('WebDriver:ExecuteScript', { script, args, sandbox: null })).value,
        find: async css =>
          v.parse(elementShape, await send('WebDriver:FindElement', { using: 'css selector', value: css })).value[
            ELEMENT
          ] ?? '',
        switchTo: async element =>
          void (await send('WebDriver:SwitchToFrame', element === undefined ? { id: null } : { element })),
        navigate: async url => void (await send('WebDriver:Navigate', { url })),
        refresh: async () => void (await send('WebDriver:Refresh')),
        cookie: async cookie => void (await send('WebDriver:AddCookie', { cookie })),
        screenshot: async () => v.parse(textShape, await send('WebDriver:TakeScreenshot', { full: false })).value,
        end: async () => {
          ends.delete(driver.end);
          const gone = new Promise(resolve => child.once('exit', resolve));
          socket.destroy();
          if (child.exitCode === null) {
            child.kill();
            await Promise.race([gone, pause(5_000)]);
            child.kill('SIGKILL');
          }
          screen.stop();
          await rm(profile, { recursive: true, force: true, maxRetries: 5 });
        },
      };
      ends.add(driver.end);
      await screen.focus('.*');
      return webdriverWindow('firefox', driver, screen);
    },
    close: async () => void (await Promise.all([...ends].map(end => end()))),
  };
}
