import { AsyncResource } from 'node:async_hooks';
import * as v from 'valibot';
import { readAs, readJson } from '../../../domain/shape.ts';
import { withTimeout } from '../../../domain/timing.ts';
import type { Tenant } from '../../platform/tenants.ts';
import { CHANNEL, type LiveEvent, liveEvent } from '../../store/live-events.ts';
import type { Store } from '../../store/store.ts';

/** An event; `gap` if events may have been missed. */
export type HubEvent = LiveEvent | { kind: 'gap' };

/** Distributes the events of all tenants to the subscribers in this process. */
export interface Hub {
  /** Subscribes to every tenant until the hub closes. A gap names no tenant. */
  subscribeAll(notify: (event: (LiveEvent & { tenant: string }) | { kind: 'gap' }) => void): void;
  /** Subscribes until the returned function is called. A gap is `uninstalled` if the installation no longer exists. */
  subscribe(tenant: Installation, notify: (event: HubEvent) => void): () => void;
  close(): Promise<void>;
}

type Installation = Pick<Tenant, 'id' | 'epoch'>;

interface Listener {
  epoch: string;
  notify(event: HubEvent): void;
}

/** If connections to the database froze, a lookup may wait for one of them. */
const LOOKUP_TIMEOUT_MS = 2_000;

const envelope = v.object({ tenant: v.string() });

/** Listens on the channel. Ignores payloads of unknown shape: another version may run at the same time. */
export async function createHub(
  store: Pick<Store, 'listen'>,
  tenants: { find(id: string): Promise<Pick<Tenant, 'epoch'> | undefined> },
): Promise<Hub> {
  const listeners = new Map<string, Set<Listener>>();
  const listenersOfAll: Parameters<Hub['subscribeAll']>[0][] = [];

  /** Treats a tenant whose lookup fails, or takes long, as uninstalled: its streams end, and browsers open them again. */
  async function publishGap(id: string): Promise<void> {
    const timedOut = () => new Error('The installation was not read in time.');
    const tenant = await withTimeout(tenants.find(id), LOOKUP_TIMEOUT_MS, timedOut).catch(() => undefined);
    for (const { epoch, notify } of [...(listeners.get(id) ?? [])]) {
      notify({ kind: tenant?.epoch === epoch ? 'gap' : 'uninstalled' });
    }
  }

  const close = await store.listen(
    CHANNEL,
    // The embedded database notifies inside the publishing transaction, where listeners cannot begin their own.
    AsyncResource.bind((payload: string) => {
      const value = readJson(payload);
      const [to, event] = [readAs(envelope, value), readAs(liveEvent, value)];
      if (!to || !event) return;
      for (const notify of listenersOfAll) notify({ ...event, tenant: to.tenant });
      for (const { notify } of [...(listeners.get(to.tenant) ?? [])]) notify(event);
    }),
    () => {
      for (const notify of listenersOfAll) notify({ kind: 'gap' });
      for (const id of [...listeners.keys()]) void publishGap(id);
    },
  );
  return {
    subscribeAll: notify => void listenersOfAll.push(notify),
    subscribe({ id, epoch }, notify) {
      const listener = { epoch, notify };
      const ofTenant = listeners.get(id) ?? new Set();
      listeners.set(id, ofTenant.add(listener));
      return () => {
        ofTenant.delete(listener);
        if (ofTenant.size === 0 && listeners.get(id) === ofTenant) listeners.delete(id);
      };
    },
    close,
  };
}
