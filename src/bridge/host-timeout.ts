import { unreachable } from '../domain/messages.ts';
import { HostUnreachable } from './bridge.ts';

/** A host that drops our messages (another origin, a frame torn down) never answers; milliseconds. */
const SILENCE = 30_000;

/** What the host says, or `HostUnreachable` where it stays silent. */
export function answered<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostUnreachable(unreachable.tracker)), SILENCE);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
