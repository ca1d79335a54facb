import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startDisplay } from './display.ts';
import { installed } from './installed.ts';
import { environment } from './webkit.ts';
import type { Point } from './window.ts';

/** A window that no driver controls: WebKit ignores `print()` in one that a driver does. Only its display shows what happens. */
export interface UndrivenWindow {
  /** In pixels of the page's viewport. */
  click(at: Point): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** The titles of the windows on its display, dialogs of the browser among them. */
  titles(): Promise<string[]>;
  close(): Promise<void>;
}

const subfolders = (folder: string) => readdirSync(folder).map(name => join(folder, name));

/** The browser that Debian's package of the driver starts. */
const miniBrowser = () =>
  subfolders('/usr/lib')
    .filter(folder => folder.endsWith('-linux-gnu'))
    .flatMap(subfolders)
    .map(folder => join(folder, 'MiniBrowser'))
    .find(path => existsSync(path));

/** A first page whose title is the height of the browser's own bars; a click goes on to the address. */
const measuring = (address: string) => `data:text/html,<title>waiting</title><body style="height:90vh"><script>
  setInterval(() => { document.title = 'bars ' + (outerHeight - innerHeight); }, 100);
  onmousedown = () => { location.href = '${address}'; };
</script>`;

/** Opens an address in WebKitGTK's MiniBrowser as a user does. */
export async function openUndriven(address: string): Promise<UndrivenWindow> {
  const [program, server] = [miniBrowser(), installed('Xvfb')];
  if (program === undefined || server === undefined) throw new Error('MiniBrowser or Xvfb is not installed.');
  const home = await mkdtemp(join(tmpdir(), 'webkit-'));
  const display = await startDisplay(server);
  const child = spawn(program, [measuring(address)], { stdio: 'ignore', env: environment(display, home) });
  const barsOf = (titles: readonly string[]) =>
    titles.flatMap(title => /bars (\d+)/.exec(title)?.[1] ?? []).map(Number)[0];
  const measured = async () => barsOf(await display.titles());
  await expect.poll(measured, { message: 'the first page' }).toBeGreaterThan(0);
  await display.focus('bars', { width: 1280, height: 1050 });
  const bars = (await measured()) ?? 0;
  const click = ({ x, y }: Point) =>
    display.pointer([
      { type: 'move', to: { x, y: y + bars } },
      { type: 'pause', ms: 200 },
      { type: 'down' },
      { type: 'pause', ms: 50 },
      { type: 'up' },
    ]);
  await expect
    .poll(
      async () => {
        await click({ x: 200, y: 200 });
        return measured();
      },
      { message: 'the page itself', interval: 2_000 },
    )
    .toBeUndefined();
  return {
    click,
    press: display.press,
    titles: display.titles,
    close: async () => {
      child.kill();
      display.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
