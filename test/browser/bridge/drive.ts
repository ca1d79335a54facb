import type { BrowserContext, Frame } from 'playwright-core';
import { build } from 'vite';
import { vi } from 'vitest';
import type { HostResponse, Json, Owner } from '../../../src/bridge/bridge.ts';
import type { DrivenBridge } from '../../bridge/contract.ts';
import type { Outcome } from './page.ts';

const at = (path: string) => new URL(path, import.meta.url).pathname;

/** The script of the frames, with the bridge of a build for that host. */
export async function pageScript(host: 'connect' | 'forge'): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { __HOST__: JSON.stringify(host) },
    resolve: { alias: [{ find: '@forge/i18n', replacement: at('../../../src/bridge/forge-locale.ts') }] },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: at('page.ts'), output: { codeSplitting: false } },
    },
  });
  const [script] = [built].flat().flatMap(result => ('output' in result ? result.output : []));
  if (script?.type !== 'chunk') throw new Error('There is no script.');
  return script.code;
}

type Listener = (data: Json) => void;

/**
 * The bridges in the frames of a visitor's pages: each call of `next` resolves with the next one opened, and each of
 * `nextRule` with the workflow rule in it.
 */
export async function framesOf(context: BrowserContext) {
  const listeners: Listener[] = [];
  const opened: Frame[] = [];
  await context.exposeFunction('publish', (listener: number, data: Json) => listeners[listener]?.(data));
  await context.exposeBinding('opened', ({ frame }) => void opened.push(frame));
  const nextFrame = () => vi.waitUntil(() => opened.shift());
  return { next: async () => drive(await nextFrame(), listeners), nextRule: async () => ruleIn(await nextFrame()) };
}

/** The workflow rule in a frame. */
const ruleIn = (frame: Frame) => ({
  facts: () => frame.evaluate(() => window.driver.rule()),
  offer: (config: string | undefined) => frame.evaluate(config => window.driver.offer(config), config ?? null),
});

/** The bridge in a frame. */
function drive(frame: Frame, listeners: Listener[]): DrivenBridge {
  // The frame's answers have the adapters' own types: it runs the code that these check.
  const call = async <Value>(method: string, ...args: readonly unknown[]): Promise<Value> => {
    const sent: [string, unknown] = [method, args];
    const outcome: Outcome = await frame.evaluate(([method, args]) => window.driver.call(method, args), sent);
    if ('error' in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
    return outcome.value as Value;
  };
  return {
    context: () => call('context'),
    request: (...args) => call<HostResponse>('request', ...args),
    signIn: () => call<HostResponse>('signIn'),
    owner: () => call<Owner>('owner'),
    hostUrl: path => call('hostUrl', path),
    openDialog: (name, data) => call('openDialog', name, data),
    preferences: {
      get: key => call('preferences.get', key),
      set: (key, value) => call('preferences.set', key, value),
    },
    emit: (event, data) => call('emit', event, data),
    rule: () => frame.evaluate(() => window.driver.rule()),
    closeDialog: result => frame.evaluate(result => window.driver.close(result), JSON.stringify(result)),
    on: async (event, listener) => {
      const index = listeners.push(listener) - 1;
      const subscription = await frame.evaluate(([event, index]) => window.driver.on(event, index), [
        event,
        index,
      ] as const);
      return () => frame.evaluate(subscription => window.driver.off(subscription), subscription);
    },
  };
}
