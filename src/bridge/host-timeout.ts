import { unreachable } from '../domain/messages.ts';
import { withTimeout } from '../domain/timing.ts';
import { DIALOG_TIMEOUT_MS, HostUnreachable } from './bridge.ts';

/** A host that drops messages (another origin, a removed frame) never answers. */
const HOST_TIMEOUT_MS = 30_000;

/** The host's answer; rejects with `HostUnreachable` after the timeout. */
export const withHostTimeout = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, HOST_TIMEOUT_MS, () => new HostUnreachable(unreachable.tracker));

/** Calls `missing` if the frame of an opened dialog has not loaded after the timeout. */
export const expectDialog = (loaded: Promise<void>, missing?: () => void): void =>
  void withTimeout(loaded, DIALOG_TIMEOUT_MS, () => new HostUnreachable(unreachable.tracker)).catch(() => missing?.());
