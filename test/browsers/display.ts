import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { PointerStep } from './window.ts';

const run = promisify(execFile);

/** A virtual display with a keyboard and a mouse, as real ones: their events go where the browser's focus is. */
export interface Display {
  /** The name of the display, for `DISPLAY`. */
  name: string;
  /** Gives the keyboard to the largest of the windows with such a title, and resizes it if asked to. */
  focus(title: string, size?: { width: number; height: number }): Promise<void>;
  /** Presses keys one after the other: characters, or names such as `Enter` and `Control+Shift+P`. */
  press(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Points are those of the display. */
  pointer(steps: readonly PointerStep[]): Promise<void>;
  /** The titles of all visible windows. */
  titles(): Promise<string[]>;
  stop(): void;
}

/** X's names of keys. */
const names: Record<string, string> = {
  Enter: 'Return',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Control: 'ctrl',
  Shift: 'shift',
  Alt: 'alt',
  Backspace: 'BackSpace',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  '/': 'slash',
};
const nameOf = (key: string) => (key.length > 1 ? key.split('+') : [key]).map(part => names[part] ?? part).join('+');

const argumentsOf = (step: PointerStep): string[] => {
  switch (step.type) {
    case 'move':
      return ['mousemove', String(Math.round(step.to.x)), String(Math.round(step.to.y)), 'sleep', '0.05'];
    case 'down':
      return ['mousedown', '1'];
    case 'up':
      return ['mouseup', '1'];
    case 'pause':
      return ['sleep', String(step.ms / 1000)];
  }
};

/** Starts a display with a free number, which the display server itself chooses. */
export async function startDisplay(program: string): Promise<Display> {
  const child: ChildProcess = spawn(program, ['-displayfd', '3', '-screen', '0', '1300x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const name = await new Promise<string>((resolve, reject) => {
    child.stdio[3]?.once('data', data => resolve(`:${String(data).trim()}`));
    child.once('exit', () => reject(new Error('Xvfb has ended.')));
  });
  const env = { ...process.env, DISPLAY: name };
  const xdotool = async (...args: readonly string[]) => (await run('xdotool', args, { env })).stdout.trim();
  /** Of a window. */
  const areaOf = async (id: string) => {
    const geometry = await xdotool('getwindowgeometry', '--shell', id);
    return Number(/WIDTH=(\d+)/.exec(geometry)?.[1]) * Number(/HEIGHT=(\d+)/.exec(geometry)?.[1]);
  };
  return {
    name,
    focus: async (title, size) => {
      const found = (await xdotool('search', '--sync', '--onlyvisible', '--name', title)).split('\n');
      const sized = await Promise.all(found.map(async id => ({ id, area: await areaOf(id).catch(() => 0) })));
      for (const { id } of sized.sort((a, b) => a.area - b.area))
        await xdotool('windowfocus', id).catch(() => undefined);
      const largest = sized.at(-1)?.id;
      if (size && largest) await xdotool('windowsize', '--sync', largest, String(size.width), String(size.height));
    },
    press: async (...keys) => {
      for (const key of keys) await xdotool('key', nameOf(key));
    },
    type: async text => void (await xdotool('type', '--delay', '20', '--', text)),
    pointer: async steps => void (await xdotool(...steps.flatMap(argumentsOf))),
    titles: async () => {
      const found = (await xdotool('search', '--onlyvisible', '--name', '.+').catch(() => '')).split('\n');
      return Promise.all(found.filter(Boolean).map(id => xdotool('getwindowname', id).catch(() => '')));
    },
    stop: () => void child.kill(),
  };
}
