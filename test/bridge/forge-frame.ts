import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type CallBridge, type FakeForge, type FrameContext, fakeForge, vendorFor } from './fake-forge.ts';

/** Frames in a fake host of Forge, for the tests of its bridge. */

/** A frame with its own module instances, like every window. */
async function openFrame(callBridge: CallBridge) {
  vi.resetModules();
  vi.doMock('../../src/bridge/forge-vendor.ts', () => vendorFor(callBridge));
  vi.stubGlobal('__bridge', { callBridge });
  const { openBridge } = await import('../../src/bridge/index.ts');
  return openBridge();
}

export const forge = (context?: FrameContext): FakeForge => fakeForge(openFrame, context);

export const unreachable: unknown = expect.objectContaining({ name: 'HostUnreachable' });

/** The payloads of the calls with that name. */
export const sent = (host: FakeForge, command: string): unknown[] =>
  host.log.flatMap(([name, payload]) => (name === command ? [payload] : []));

export const never = (): Promise<unknown> => new Promise(() => undefined);

/** The vendor makes a request of an empty address, which only browsers take as their page's. */
class PageRequest extends Request {
  constructor(address: string, init?: RequestInit) {
    super(new URL(address, location.href), init);
  }
}

/** Gives each test the page of a new window; for the top of a file. */
export function inNewWindows(): void {
  /** Listeners of a test's frames at the document, which all tests of a file share. */
  let listeners: Parameters<Document['addEventListener']>[] = [];
  beforeEach(() => {
    const add = document.addEventListener.bind(document);
    vi.spyOn(document, 'addEventListener').mockImplementation((...listener: (typeof listeners)[number]) => {
      listeners.push(listener);
      add(...listener);
    });
    vi.stubGlobal('Request', PageRequest);
    history.replaceState(null, '', '/index.html');
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    for (const [type, listener] of listeners) document.removeEventListener(type, listener);
    listeners = [];
    document.body.removeAttribute('style');
  });
}
