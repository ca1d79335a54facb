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
 * The bridges in the frames of a visitor's pages: each call of the returned function resolves with the next one opened.
 */
export async function framesOf(context: BrowserContext): Promise<() => Promise<DrivenBridge>> {
  const listeners: Listener[] = [];
  const opened: Frame[] = [];
  await context.exposeFunction('publish', (listener: number, data: Json) => listeners[listener]?.(data));
  await context.exposeBinding('opened', ({ frame }) => void opened.push(frame));
  return async () => drive(await vi.waitUntil(() => opened.shift()), listeners);
}

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
