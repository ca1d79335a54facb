import { AsyncResource } from 'node:async_hooks';
import * as z from 'zod';
import { readJson } from '../../domain/shape.ts';
import type { Tenant } from '../platform/tenants.ts';
import { CHANNEL, type LiveEvent, liveEvent } from '../store/live-events.ts';
import type { Store } from '../store/store.ts';

/** An event, or that some may have been missed. */
export type Heard = LiveEvent | { kind: 'gap' };

/** The events of all tenants in this process, given to who asked for one tenant's. */
export interface Hub {
  /** Hears of every tenant, as long as the hub is open; after a gap without saying of which. */
  subscribeAll(hear: (heard: (LiveEvent & { tenant: string }) | { kind: 'gap' }) => void): void;
  /** Hears until the returned function is called. After a gap nobody hears more whose installation has gone meanwhile. */
  subscribe(tenant: Installation, hear: (heard: Heard) => void): () => void;
  close(): Promise<void>;
}

type Installation = Pick<Tenant, 'id' | 'epoch'>;

interface Listener {
  epoch: string;
  hear(heard: Heard): void;
}

const envelope = z.object({ tenant: z.string() });

/** Begins to listen. What is told on the channel and is not ours to understand is passed over: another version may run beside us. */
export async function createHub(
  store: Pick<Store, 'listen'>,
  tenants: { find(id: string): Promise<Pick<Tenant, 'epoch'> | undefined> },
): Promise<Hub> {
  const listeners = new Map<string, Set<Listener>>();
  const everywhere: Parameters<Hub['subscribeAll']>[0][] = [];

  /** Where nobody can say whether the tenant is still there, it is taken for gone: streams are opened again. */
  async function tellGap(id: string): Promise<void> {
    const tenant = await tenants.find(id).catch(() => undefined);
    for (const { epoch, hear } of [...(listeners.get(id) ?? [])]) {
      hear({ kind: tenant?.epoch === epoch ? 'gap' : 'uninstalled' });
    }
  }

  const close = await store.listen(
    CHANNEL,
    // The embedded database tells inside the transaction that announces, where those who hear may begin none of their own.
    AsyncResource.bind((payload: string) => {
      const value = readJson(payload);
      const [to, event] = [envelope.safeParse(value), liveEvent.safeParse(value)];
      if (!to.success || !event.success) return;
      for (const hear of everywhere) hear({ ...event.data, tenant: to.data.tenant });
      for (const { hear } of [...(listeners.get(to.data.tenant) ?? [])]) hear(event.data);
    }),
    () => {
      for (const hear of everywhere) hear({ kind: 'gap' });
      for (const id of [...listeners.keys()]) void tellGap(id);
    },
  );
  return {
    subscribeAll: hear => void everywhere.push(hear),
    subscribe({ id, epoch }, hear) {
      const listener = { epoch, hear };
      const here = listeners.get(id) ?? new Set();
      listeners.set(id, here.add(listener));
      return () => {
        here.delete(listener);
        if (here.size === 0 && listeners.get(id) === here) listeners.delete(id);
      };
    },
    close,
  };
}
