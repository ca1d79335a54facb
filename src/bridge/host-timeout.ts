import { unreachable } from '../domain/messages.ts';
import { HostUnreachable } from './bridge.ts';

/** Milliseconds. A host that drops messages (another origin, a removed frame) never answers. */
const TIMEOUT = 30_000;

/** The host's answer; rejects with `HostUnreachable` after the timeout. */
export function withHostTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostUnreachable(unreachable.tracker)), TIMEOUT);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
