import { createHash } from 'node:crypto';
import { vi } from 'vitest';

/** Lets everything run that waits for no timer. */
export const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** The longest time in milliseconds that passes at once: what a timer begins may start another one. */
const STRIDE = 5_000;

/** Lets virtual time pass, in milliseconds. */
export async function pass(time: number): Promise<void> {
  for (let left = time; left > 0; left -= STRIDE) {
    vi.advanceTimersByTime(Math.min(left, STRIDE));
    await turn();
  }
}

/** Makes time virtual and hashing synchronous, and gives scripts a visible page, which is no document. */
export function startVirtualTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.spyOn(Math, 'random').mockReturnValue(0);
  // Computed in another thread it would end at any time, and a session could not be repeated.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_, data) => {
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
    return Uint8Array.from(createHash('sha256').update(new Uint8Array(bytes)).digest()).buffer;
  });
}

export function endVirtualTime(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}
