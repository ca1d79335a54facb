import { unreachable } from '../domain/messages.ts';
import { contextOf } from './address.ts';
import { backend } from './backend.ts';
import { type HostBridge, HostUnreachable } from './bridge.ts';

/** A page opened outside a host: it knows its address and the app's server only. */
export function noBridge(search: string): HostBridge {
  const refuse = () => Promise.reject(new HostUnreachable(unreachable.noTracker));
  const nothing = () => undefined;
  return {
    kind: 'none',
    context: () => Promise.resolve(contextOf(search)),
    request: refuse,
    backend,
    signIn: refuse,
    owner: refuse,
    openDialog: refuse,
    closeDialog: nothing,
    flag: nothing,
    emit: nothing,
    on: () => nothing,
    resize: nothing,
    preferences: { get: () => Promise.resolve(undefined), set: () => Promise.resolve() },
    navigate: nothing,
    openSettings: nothing,
    openAssigned: nothing,
    reload: () => location.reload(),
    hostUrl: refuse,
  };
}
